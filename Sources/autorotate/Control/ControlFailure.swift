// SPDX-License-Identifier: MIT

/// What a command of the program ends with: its exit status.
enum ExitReason: Int32 {
  case done = 0
  case failed = 1
  /// What was typed, or written in a settings file, cannot be meant.
  case usage = 2
  case notRunning = 3
  /// No sensor, no display that turns.
  case notPossible = 4
}

/// Why a command did not work: a sentence with the next step, and the exit status.
struct ControlFailure: Error, Equatable, CustomStringConvertible {
  let status: ExitReason
  let description: String

  init(_ status: ExitReason, _ description: String) {
    self.status = status
    self.description = description
  }

  static let notRunning = Self(.notRunning, "autorotate is not running; start it with: autorotate")
}
