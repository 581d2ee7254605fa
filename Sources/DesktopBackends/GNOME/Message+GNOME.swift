// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Why a request to the desktop failed, and the next step.
nonisolated extension MutterDesktop {
  func noSessionBus(_ error: BusError) -> Message {
    Message(
      .busUnreachable, "autorotate cannot connect to \(name) (\(error))",
      next: "start autorotate from within the \(name) session")
  }

  var isNotRunning: Message {
    Message(
      .displayEnded, "\(name) is not running: the session bus has no \(service)")
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
    case BusError.unknownMethod, BusError.unknownInterface, BusError.unknownObject:
      invalidAnswer("\(member): \(error)")
    default:
      Message(
        .turnRefused, "\(name) refused the request (\(error.description.printable()))",
        next: "try it in Settings, under Displays")
    }
  }

  /// - Parameter values: the answer to GetCurrentState.
  func state(_ values: [Value]) -> Result<MonitorState, Message> {
    do throws(InvalidState) {
      return .success(try MonitorState(values))
    } catch {
      return .failure(invalidAnswer("\("GetCurrentState"): \(error)"))
    }
  }
}

nonisolated extension BusError {
  fileprivate static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
  fileprivate static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
}
