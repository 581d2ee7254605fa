// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Why a request to GNOME failed, and the next step.
nonisolated extension Message {
  static func noSessionBus(_ error: BusError) -> Self {
    Self(
      .busUnreachable, "autorotate cannot connect to GNOME (\(error))",
      next: "start autorotate from within the GNOME session")
  }

  static let gnomeIsNotRunning = Self(
    .displayEnded,
    "GNOME is not running: the session bus has no org.gnome.Mutter.DisplayConfig")

  /// The request may still be carried out.
  static let gnomeTimedOut = Self(
    .turnUnanswered, "GNOME does not answer",
    next: "check `journalctl --user -b _COMM=gnome-shell`, and log in again if GNOME hangs")

  /// The answer is invalid.
  static func invalidGNOMEAnswer(_ what: Phrase) -> Self {
    Self(
      .displayNonsense, "GNOME's answer cannot be understood (\(what))",
      next: "update autorotate, or report this")
  }

  static func gnome(_ error: BusError, to member: String) -> Self {
    switch error.name {
    case _ where error.isServiceMissing: gnomeIsNotRunning
    case _ where error.isReplyTimeout: gnomeTimedOut
    case BusError.disconnected: noSessionBus(error)
    case BusError.unknownMethod, BusError.unknownInterface, BusError.unknownObject:
      invalidGNOMEAnswer("\(member): \(error)")
    default:
      Self(
        .turnRefused, "GNOME refused the request (\(error.description.printable()))",
        next: "try it in Settings, under Displays")
    }
  }
}

nonisolated extension BusError {
  fileprivate static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  fileprivate static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
}
