// SPDX-License-Identifier: MIT

import Autorotation

/// How the process ends, as scripts see it. Documented in autorotate(1).
enum ExitStatus: Int32, Error {
  case done = 0
  case failed = 1
  /// A usage error, or an error in a settings file.
  case usage = 2
  case notRunning = 3
  /// No sensor, or no display that turns.
  case notPossible = 4
}

extension Message {
  /// How the process ends with it.
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

  /// - Parameter process: which that is, if it is known.
  static func alreadyRunning(_ process: UInt32?) -> Self {
    let number: Phrase = process.map { " (process \($0))" } ?? ""
    let kill = process.map { "kill \($0)" } ?? "systemctl --user stop autorotate"
    return Self(
      .alreadyRunning, "autorotate is already running\(number)",
      next: "ask it with `autorotate --status`, or end it with `\(kill)`")
  }
}
