// SPDX-License-Identifier: MIT

import Autorotation

/// The exit status for scripts. Documented in autorotate(1).
enum ExitStatus: Int32, Error {
  case done = 0
  case failed = 1
  /// A usage error, or an error in a settings file.
  case usage = 2
  case notRunning = 3
  /// No sensor, or no display that can be rotated.
  case notPossible = 4
}

extension Message {
  var status: ExitStatus {
    switch code {
    case .commandMistaken: .usage
    case .notRunning: .notRunning
    case .commandNotPossible: .notPossible
    default: .failed
    }
  }

  static var notRunning: Self {
    Self(.notRunning, "autorotate is not running", next: "start it with `\(StartCommand.now)`")
  }

  /// The session bus has no daemon. One that has lost its bus may still rotate the display.
  @MainActor static var unreachable: Self {
    guard let process = DisplayLock.holder() else { return .notRunning }
    return Self(
      .notRunning, "autorotate (process \(process)) rotates this display, but is not on this session bus",
      next: "restart it: `kill \(process)`, then `\(StartCommand.now)`")
  }

  /// - Parameters:
  ///   - process: the ID of the running daemon, if known.
  ///   - command: stops it.
  static func alreadyRunning(_ process: UInt32?, stop command: String) -> Self {
    let number: Phrase = process.map { " (process \($0))" } ?? ""
    return Self(
      .alreadyRunning, "autorotate is already running\(number)",
      next: "see `autorotate status`, or stop it with `\(command)`")
  }
}
