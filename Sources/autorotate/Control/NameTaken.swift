// SPDX-License-Identifier: MIT

import Autorotation

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
