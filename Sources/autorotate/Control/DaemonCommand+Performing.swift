// SPDX-License-Identifier: MIT

import Autorotation
import Glibc

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
    guard var report = try? client.status() else { return .done }
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
