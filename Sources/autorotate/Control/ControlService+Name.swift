// SPDX-License-Identifier: MIT

import SystemBus

extension ControlService {
  /// Takes the daemon's name, of which there is one per session.
  /// - Throws: `Failure` if another daemon has it, `BusError` if the bus does not give it.
  static func claimName(on bus: Bus) throws {
    guard case .taken(let process) = try bus.requestName(ControlInterface.name) else { return }
    throw alreadyRunning(process)
  }

  private static func alreadyRunning(_ process: UInt32?) -> Failure {
    let number = process.map { " (process \($0))" } ?? ""
    let kill = process.map { "kill \($0)" } ?? "systemctl --user stop autorotate"
    return Failure(
      .failed,
      "autorotate is already running\(number); ask it with: autorotate --status, or end it with: \(kill)")
  }
}
