// SPDX-License-Identifier: MIT

import Autorotation
import Language

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

/// Why a command did not work, the next step, and the exit status.
struct Failure: Error, Equatable, CustomStringConvertible {
  let status: ExitStatus
  let what: Phrase
  let next: Phrase?

  init(_ status: ExitStatus, _ what: Phrase, next: Phrase? = nil) {
    self.status = status
    self.what = what
    self.next = next
  }

  /// In the person's language.
  var description: String { localized(next.map { "\(what); \($0)" } ?? what) }

  static let notRunning = Failure(.notRunning, "autorotate is not running", next: "start it with: autorotate")
}

/// Another daemon has the name.
struct NameTaken: Error, CustomStringConvertible {
  /// Which process that is, if the bus tells.
  let process: UInt32?

  var description: String { failure.description }

  var failure: Failure {
    let number: Phrase = process.map { " (process \($0))" } ?? ""
    let kill = process.map { "kill \($0)" } ?? "systemctl --user stop autorotate"
    return Failure(
      .failed,
      "autorotate is already running\(number); ask it with: autorotate --status, or end it with: \(kill)")
  }
}
