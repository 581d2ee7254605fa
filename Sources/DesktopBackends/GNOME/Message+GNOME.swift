// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Why GNOME does not do as asked, and what a person can do.
nonisolated extension Message {
  static func noSessionBus(_ error: BusError) -> Self {
    Self(
      .busUnreachable, "GNOME cannot be asked (\(error))",
      next: "start autorotate from within the GNOME session")
  }

  static let gnomeIsAbsent = Self(
    .displayEnded,
    "GNOME does not run: nobody has the name org.gnome.Mutter.DisplayConfig on the session bus")

  /// It may do what it was asked yet.
  static let gnomeIsSilent = Self(
    .turnUnanswered, "GNOME does not answer",
    next: "see `journalctl --user -b _COMM=gnome-shell`, and log in anew if it is stuck")

  /// It answers, but not as it should.
  static func gnomeNonsense(_ what: Phrase) -> Self {
    Self(
      .displayNonsense, "GNOME answers what cannot be understood (\(what))",
      next: "update autorotate, or report this")
  }

  static func gnome(_ error: BusError, to member: String) -> Self {
    switch error.name {
    case _ where error.isAbsence: gnomeIsAbsent
    case _ where error.isSilence: gnomeIsSilent
    case BusError.disconnected: noSessionBus(error)
    case BusError.unknownMethod, BusError.unknownInterface, BusError.unknownObject:
      gnomeNonsense("\(member): \(error)")
    default:
      Self(
        .turnRefused, "GNOME refuses it (\(error.description.printable()))",
        next: "see whether Settings, under Displays, can do it")
    }
  }
}

nonisolated extension BusError {
  fileprivate static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  fileprivate static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
}
