// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

@MainActor extension DaemonCommand {
  /// Asks the daemon for it, and prints what came of it.
  func perform() throws -> ExitStatus {
    if self == .quit {
      try Quit.run()
      return .done
    }
    let client = try ControlClient()
    try client.send(self)
    return try report(by: client)
  }

  /// A status that cannot be read is no failure of the command. The confirmation is for a user at a terminal.
  /// - Returns: `failed` after a rotation that failed.
  /// - Throws: if the daemon ends before the rotation does.
  private func report(by client: ControlClient) throws(Message) -> ExitStatus {
    guard var report = try? client.status() else { return .done }
    let hasReader = isatty(STDOUT_FILENO) == 1
    if report.isTurning, isRotation {
      guard let settled = SettledStatus.awaited(for: SettledStatus.longestRotation) else { throw .notRunning }
      report = settled
    } else if report.isTurning, hasReader {
      report = SettledStatus.awaited() ?? report
    }
    if isRotation, let failure = report.rotationFailure {
      Console.complain(failure)
      return .failed
    }
    let surprises = surprises(in: report)
    surprises.forEach(Console.complain)
    if hasReader, surprises.isEmpty { Console.say(confirmation(in: report)) }
    return .done
  }
}

extension StatusReport {
  var isTurning: Bool { reasonCodes.contains(Message.Code.rotating.rawValue) }
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
