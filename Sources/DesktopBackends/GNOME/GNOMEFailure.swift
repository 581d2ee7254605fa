// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Why GNOME does not do as asked, and what a person can do.
nonisolated enum GNOMEFailure: Error, Equatable, CustomStringConvertible {
  case noBus(String)
  case absent
  case silent
  /// It answers, but not as it should.
  case nonsense(String)
  /// Its own words.
  case refused(String)

  init(_ error: BusError, _ member: String) {
    switch error.name {
    case _ where error.isAbsence: self = .absent
    case BusError.timeout, BusError.noReply: self = .silent
    case BusError.disconnected: self = .noBus("\(error)")
    case BusError.unknownMethod, BusError.unknownInterface, BusError.unknownObject:
      self = .nonsense("\(member): \(error)")
    default: self = .refused("\(error)")
    }
  }

  var description: String {
    switch self {
    case .noBus(let reason):
      "GNOME cannot be asked (\(reason)): start autorotate from within the GNOME session"
    case .absent:
      "GNOME does not run: nobody has the name org.gnome.Mutter.DisplayConfig on the session bus"
    case .silent:
      "GNOME does not answer: see `journalctl --user -b _COMM=gnome-shell`, and log in anew if it is stuck"
    case .nonsense(let what):
      "GNOME answers what cannot be understood (\(what)): update autorotate, or report this"
    case .refused(let words):
      "GNOME refuses it (\(words.printable())): see whether Settings, under Displays, can do it"
    }
  }
}

nonisolated extension BusError {
  fileprivate static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  fileprivate static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
}
