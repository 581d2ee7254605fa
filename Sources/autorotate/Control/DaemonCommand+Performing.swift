// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

@MainActor extension DaemonCommand {
  /// Sends the command to the daemon, and prints the result.
  func perform() throws -> ExitStatus {
    if self == .quit {
      try Quit.run()
      return .done
    }
    let client = try ControlClient()
    let before = isatty(STDOUT_FILENO) == 1 ? try? client.status() : nil
    try client.send(self)
    return try report(by: client, after: before)
  }

  /// A status that cannot be read is no failure of the command. The confirmation is for a user at a terminal.
  /// - Returns: `failed` after a rotation that failed.
  /// - Throws: if the daemon ends before the rotation does.
  private func report(by client: ControlClient, after before: StatusReport?) throws(Message) -> ExitStatus {
    guard let report = try? client.status() else { return .done }
    return try withoutPanelName(in: report).report(report, after: before)
  }

  private func report(_ first: StatusReport, after before: StatusReport?) throws(Message) -> ExitStatus {
    var report = first
    let hasReader = isatty(STDOUT_FILENO) == 1
    if report.isRotating, isRotation {
      guard let final = FinalStatus.awaited(for: FinalStatus.rotationTimeout) else { throw .notRunning }
      report = final
    } else if report.isRotating, hasReader {
      report = FinalStatus.awaited() ?? report
    }
    if isRotation, let failure = report.rotationFailure {
      Console.log(failure)
      return .failed
    }
    let differences = differences(in: report)
    differences.forEach(Console.log)
    if hasReader, differences.isEmpty { Console.print(confirmation(in: report, after: before)) }
    return .done
  }
}

extension StatusReport {
  var isRotating: Bool { reasonCodes.contains(Message.Code.rotating.rawValue) }
  /// Why the last rotation failed, if it did.
  var rotationFailure: String? {
    let codes = reasonCodes.map(Message.Code.init(rawValue:))
    let index = codes.firstIndex { code in
      switch code {
      case .turnRefused?, .turnIgnored?, .turnUnanswered?, .turnNoRoom?, .displaySilent?, .displayRefused?:
        true
      case .outputNotRestored?: outputs.isEmpty
      default: false
      }
    }
    return index.flatMap(sentence)
  }

  /// Of the reason with this code, if it is among them.
  func sentence(of code: Message.Code) -> String? {
    reasonCodes.firstIndex(of: code.rawValue).flatMap(sentence)
  }

  /// The two lists cross the bus apart from each other.
  private func sentence(at index: Int) -> String? {
    sentences.indices.contains(index) ? sentences[index] : nil
  }

  var waitsForFinger: Bool { reasonCodes.contains(Message.Code.fingerOnScreen.rawValue) }
}

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
      return DesktopLine.startingNow(SessionStart.command, on: SessionStart.desktops(Environment.variable))
    }
    return "systemctl --user start autorotate"
  }
}
