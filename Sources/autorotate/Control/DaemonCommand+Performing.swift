// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

@MainActor extension DaemonCommand {
  /// Sends the command to the daemon, and prints the result.
  func perform() throws -> ExitStatus {
    if self == .quit { return try Self.endDaemon() }
    let client = try ControlClient()
    let before = Console.isTerminal ? try? client.status() : nil
    do throws(Message) {
      try client.send(self)
    } catch {
      // A refusal comes without a next step.
      if case .lock(_, .focus?) = self, error.next == nil {
        OpenApplications.reportUnknownFocus(try? client.status())
      }
      throw error
    }
    // A status that cannot be read is no failure of the command.
    guard let report = try? client.status() else { return .done }
    return try withoutPanelName(in: report).report(report, after: before)
  }

  /// The confirmation is for a user at a terminal.
  /// - Returns: `failed` after a rotation that failed.
  /// - Throws: if the daemon ends before the rotation does.
  private func report(_ first: StatusReport, after before: StatusReport?) throws(Message) -> ExitStatus {
    var report = first
    let hasReader = Console.isTerminal
    if report.awaitsRotation, isRotation {
      guard let final = FinalStatus.awaited(for: FinalStatus.rotationTimeout) else { throw .notRunning }
      report = final
    } else if report.awaitsRotation, hasReader {
      report = FinalStatus.awaited() ?? report
    }
    if isRotation, let failure = report.rotationFailure {
      Console.log(failure)
      if hasReader, let lock = confirmationWithoutRotation(in: report) { Console.print(lock) }
      return .failed
    }
    let differences = differences(in: report)
    differences.forEach(Console.log)
    if hasReader, differences.isEmpty { Console.print(confirmation(in: report, after: before)) }
    return .done
  }

  /// Stops the daemon of this session. Returns when it has stopped.
  private static func endDaemon() throws -> ExitStatus {
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
    return .done
  }
}

extension StatusReport {
  /// Whether the screen is being rotated, or will be once no finger is on it.
  var awaitsRotation: Bool {
    let codes: [Message.Code] = [.rotating, .fingerOnScreen]
    return codes.contains { reasonCodes.contains($0.rawValue) }
  }

  /// While one of these is a reason, nothing rotates.
  private static let invisible: Set<Message.Code> = [
    .outputAwaited, .outputBlanked, .displayOff, .sessionInactive, .suspended,
  ]
  /// Whether rotations wait until the screen can be seen.
  var isInvisible: Bool {
    !Self.invisible.isDisjoint(with: reasonCodes.compactMap { Message.Code(rawValue: $0) })
  }

  /// Why the last rotation failed, or waits until the screen can be seen.
  var rotationFailure: String? {
    let codes: Set<Message.Code> = [
      .rotationRefused, .rotationIgnored, .rotationUnanswered, .rotationNoRoom, .displaySilent,
      .displayRefused,
    ]
    return sentencesOfReasons {
      codes.contains($0) || Self.invisible.contains($0) || $0 == .outputNotRestored && outputs.isEmpty
    }.first
  }

  /// The faults that prevent rotation and need the user.
  var faults: [String] { sentencesOfReasons(where: { $0.isFault }) }

  /// Of the reason with this code, if it is among them.
  func sentence(of code: Message.Code) -> String? { sentencesOfReasons(where: { $0 == code }).first }

  /// About another output that the user has rotated; `nil` for one that is on and upright, since that is not kept.
  func sentence(onKept output: String) -> Phrase? {
    let kept = zip(zip(reasonCodes, reasons), sentences).first { reason, _ in
      reason.0 == Message.Code.outputKept.rawValue && reason.1.hasPrefix("\(output) ")
    }
    return (kept?.1).map { Phrase(verbatim: $0) }
  }

  /// Of the reasons with such a code. The two lists cross the bus apart from each other.
  private func sentencesOfReasons(where isWanted: (Message.Code) -> Bool) -> [String] {
    let pairs = zip(reasonCodes, sentences)
    return pairs.filter { code, _ in Message.Code(rawValue: code).map(isWanted) ?? false }.map(\.1)
  }
}

/// The command that starts the daemon.
enum StartCommand {
  static let unit = "autorotate.service"

  /// As at login: by the systemd unit if there is one, else with the option that waits for a sensor or a panel. It
  /// outlives the terminal.
  static var now: String {
    guard let unit = SessionStart.installedUnit(), !SessionStart.isNothing(unit),
      let runtime = BaseDirectories().runtime,
      SystemFile.exists("\(runtime)/systemd/private")
    else {
      return DesktopLine.startingNow(SessionStart.command, on: SessionStart.desktops(Environment.variable))
    }
    return "systemctl --user start autorotate"
  }
}
