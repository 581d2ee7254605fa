// SPDX-License-Identifier: MIT

import Autorotation
package import System

/// A desktop whose compositor is Mutter or a fork that kept its interfaces under other names.
nonisolated package struct MutterDesktop: Sendable {
  let kind: BackendKind
  /// For the user.
  let name: String
  /// The compositor's process.
  let process: String
  /// The name of its display configuration on the session bus.
  let service: String
  /// The beginning of the names of its GSettings schemas.
  let settings: String

  package static let gnome = Self(
    kind: .gnome, name: "GNOME", process: "gnome-shell", service: "org.gnome.Mutter.DisplayConfig",
    settings: "org.gnome")
  /// Muffin is a fork of Mutter 3.36. It has no `PanelOrientationManaged`: it always rotates while the lock is off.
  static let cinnamon = Self(
    kind: .cinnamon, name: "Cinnamon", process: "cinnamon", service: "org.cinnamon.Muffin.DisplayConfig",
    settings: "org.cinnamon")
  static let all = [gnome, cinnamon]

  /// Its display configuration on the session bus.
  package var displayConfig: BusTarget {
    BusTarget(service: service, path: "/" + service.replacing(".", with: "/"), interface: service)
  }
  /// The GSettings schema of `orientation-lock`.
  var lockSchema: String { "\(settings).settings-daemon.peripherals.touchscreen" }
  /// The GSettings schema of `send-events`, for all touchpads.
  var touchpadSchema: String { "\(settings).desktop.peripherals.touchpad" }
}

/// Why a request to the desktop failed, and the next step.
nonisolated extension MutterDesktop {
  func noSessionBus(_ error: BusError) -> Message {
    Message(
      .busUnreachable, "autorotate cannot connect to \(name) (\(error))",
      next: "start autorotate from within the \(name) session")
  }

  var isNotRunning: Message {
    Message(.displayEnded, "\(name) is not running: the session bus has no \(service)")
  }

  /// The request may still be carried out.
  var timedOut: Message {
    Message(
      .turnUnanswered, "\(name) does not answer",
      next: "check `journalctl --user -b _COMM=\(process)`, and log in again if \(name) hangs")
  }

  func invalidAnswer(_ what: Phrase) -> Message {
    Message(
      .displayNonsense, "\(name)'s answer cannot be understood (\(what))",
      next: "update autorotate, or report this")
  }

  func failure(_ error: BusError, of member: String) -> Message {
    switch error.name {
    case _ where error.isServiceMissing: isNotRunning
    case _ where error.isReplyTimeout: timedOut
    case BusError.disconnected: noSessionBus(error)
    case _ where error.name.hasPrefix("org.freedesktop.DBus.Error.Unknown"):
      invalidAnswer("\(member): \(error)")
    default:
      Message(
        .turnRefused, "\(name) refused the request (\(error.description.printable()))",
        next: "try it in Settings, under Displays")
    }
  }

  /// - Parameter values: the answer to GetCurrentState.
  func state(_ values: [Value]) -> Result<MonitorState, Message> {
    Result { () throws(InvalidState) in try MonitorState(values) }
      .mapError { invalidAnswer("\("GetCurrentState"): \($0)") }
  }
}
