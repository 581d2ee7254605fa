// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Walks a person who has just installed autorotate through what the doctor finds, and does what is answered with yes.
@MainActor
struct FirstRun {
  private let style = TerminalStyle(of: STDOUT_FILENO)
  private var questions: YesOrNo
  private var hasFailed = false

  static func run() throws -> ExitStatus {
    guard Environment.variable("SUDO_USER") == nil else {
      throw Message(
        .commandMistaken, "this is about your own settings, and sudo would change those of root",
        next: "without sudo: autorotate setup")
    }
    var run = Self()
    return try run.perform()
  }

  private init() {
    questions = YesOrNo(style: style)
  }

  private mutating func perform() throws -> ExitStatus {
    let examination = try Examination.gather()
    examination.report.lines(style).forEach(Console.say)
    let offers = SetupOffer.all(for: examination)
    for offer in offers {
      Console.say("")
      if questions.isYes(offer.question) { perform(offer) }
    }
    Console.say("")
    Self.advice(examination.program.start).forEach { step in say("→ \(step)") }
    let end: Phrase =
      offers.isEmpty
      ? "There is nothing to ask. What may be set is in: autorotate config get"
      : "That was all. To ask again: autorotate setup"
    say(end)
    return hasFailed ? .failed : .done
  }

  private mutating func perform(_ offer: SetupOffer) {
    do {
      try offer.perform(program: SessionSwitch.program)
    } catch let failure as Message {
      hasFailed = true
      Console.complain(failure)
    } catch {
      hasFailed = true
      Console.complain("\(error)")
    }
  }

  /// What only the user can do.
  nonisolated static func advice(_ start: SessionStart) -> [Phrase] {
    var advice: [Phrase] = []
    if start.obstacle != nil, case .line = start.method { advice.append(start.nextStep) }
    if case .line(let line) = start.methodWithoutUnit {
      advice.append(SessionStart.step(["autorotate", "tray"], by: line))
    }
    return advice
  }

  private func say(_ phrase: Phrase) {
    Console.say(style.shown(localized(phrase)))
  }
}
