// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// `autorotate quit`: stops the daemon of this session.
@MainActor enum Quit {
  /// Returns when it has stopped.
  static func run() throws {
    let client = try ControlClient()
    guard let process = client.bus.processID(of: ControlInterface.name) else { throw Message.unreachable }
    if UserManager(bus: client.bus).mainProcess(of: StartCommand.unit) == process {
      // systemd may restart a service that exits.
      try UserManager.run("systemctl --user --quiet stop \(StartCommand.unit)")
    } else {
      try client.send(.quit)
      guard FinalStatus.awaitEnd() else {
        throw Message(.commandFailed, "autorotate does not stop", next: "stop it with: kill \(process)")
      }
    }
    Console.print(
      localized(
        "autorotate is stopped, and the screen keeps its orientation. To start it again: \(StartCommand.now)")
    )
  }
}

/// The command that starts the daemon.
enum StartCommand {
  static let unit = "autorotate.service"

  /// As at login: by the systemd unit if there is one, else with the option that waits for a sensor or a panel. It
  /// outlives the terminal.
  static var now: String {
    guard SessionStart.installedUnit() != nil, let runtime = BaseDirectories().runtime,
      access("\(runtime)/systemd/private", F_OK) == 0
    else {
      return DesktopLine.startingNow(
        SessionStart.command, on: SessionStart.desktops(Environment.variable))
    }
    return "systemctl --user start autorotate"
  }
}
