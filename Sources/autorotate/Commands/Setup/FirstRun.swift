// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Shows a new user the findings of `autorotate doctor`, and performs each offer that is answered with yes.
@MainActor
struct FirstRun {
  private var prompt = YesNoPrompt()
  private var style: TerminalStyle { prompt.style }
  private var hasFailed = false

  static func run() throws -> ExitStatus {
    try Environment.refuseSudo(for: "setup")
    var run = Self()
    return try run.perform()
  }

  private mutating func perform() throws -> ExitStatus {
    let examination = try Examination.gather()
    let advice = Self.advice(examination).map(localized)
    examination.findings.print(stepsShownLater: advice)
    let offers = SetupOffer.all(for: examination)
    for offer in offers {
      Console.print("")
      if prompt.isYes(offer.question) { perform(offer) }
    }
    Console.print("")
    advice.forEach { step in Console.print(style.shown("→ \(step)")) }
    Console.print(style.shown(localized(Self.end(offers: offers, advice: advice))))
    return hasFailed ? .failed : .done
  }

  private mutating func perform(_ offer: SetupOffer) {
    do {
      try offer.perform(program: SessionSwitch.program)
    } catch {
      hasFailed = true
      if let failure = error as? Message { Console.log(failure) } else { Console.log("\(error)") }
    }
  }

  /// The steps that only the user can do.
  nonisolated static func advice(_ examination: Examination) -> [Phrase] {
    var start = examination.start
    var advice: [Phrase] = []
    if start.obstacle != nil, case .line = start.method {
      advice.append(start.nextStep)
      if let now = examination.stepNow { advice.append(now) }
      // The first step has copied it.
      start.replaceableFile = nil
    }
    if case .line(let line) = start.methodWithoutUnit {
      advice.append(start.step(["autorotate", "tray"], by: line))
    }
    return advice
  }

  private static func end(offers: [SetupOffer], advice: [String]) -> Phrase {
    guard advice.isEmpty else { return "Only you can do the steps above. To check them: autorotate doctor" }
    return offers.isEmpty
      ? "Nothing to set up. List all settings with: autorotate config list"
      : "Done. To run setup again: autorotate setup"
  }
}

extension Environment {
  /// - Parameter command: changes the settings of the user who runs it.
  static func refuseSudo(for command: String) throws(Message) {
    guard variable("SUDO_USER") == nil else {
      throw Message(
        .commandMistaken, "\(command) changes your own settings, but with sudo it would change those of root",
        next: "run it without sudo: autorotate \(command)")
    }
  }
}

/// Asks the user yes-or-no questions. The end of the input answers all later ones with no.
struct YesNoPrompt {
  private static let maximumLineLength = 1000

  let style = TerminalStyle()
  private var hasEnded = false

  mutating func isYes(_ question: Phrase) -> Bool {
    guard !hasEnded else { return false }
    Console.write("\(style.shown(localized("\(question) [y/N]"))) ")
    guard let answer = Self.line() else {
      hasEnded = true
      Console.print("")
      return false
    }
    let word = answer.lowercased().filter { !$0.isWhitespace }
    return ["y", "yes"].contains(word) || localized("y yes").split(separator: " ").contains { $0 == word }
  }

  /// Byte by byte, so that the input after the line stays unread. Input that ends without a newline is no answer.
  private static func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      guard byte != 0x0A else { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < maximumLineLength { bytes.append(byte) }
    }
  }
}
