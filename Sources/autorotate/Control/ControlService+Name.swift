// SPDX-License-Identifier: MIT

import Autorotation
import SystemBus

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

extension ControlService {
  /// Takes the daemon's name, of which there is one per session.
  /// - Throws: `NameTaken` if another daemon has it, `BusError` if the bus does not give it.
  static func claimName(on bus: Bus) throws {
    guard case .taken(let process) = try bus.requestName(ControlInterface.name) else { return }
    throw NameTaken(process: process)
  }
}
