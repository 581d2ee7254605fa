// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Walks a person who has just installed autorotate through what the doctor finds, and does what is answered with yes.
@MainActor
struct FirstRun {
  private let style = TerminalStyle(of: STDOUT_FILENO)
  private let desktop = Environment.variable("XDG_CURRENT_DESKTOP") ?? ""
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
    let offers = SetupOffer.all(for: examination, desktop: desktop)
    for offer in offers {
      Console.say("")
      if questions.isYes(offer.question) { perform(offer) }
    }
    Console.say("")
    advice(examination.program.start).forEach(say)
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

  /// What nobody but the person can do.
  private func advice(_ start: ProgramFacts.Start) -> [Phrase] {
    guard case .line(let line) = SessionStart.ofProgram(desktop: desktop) else { return [] }
    return Self.commands(start).map { command in
      let words = command.joined(separator: " ")
      guard let line else { return "To have it with the session, let your desktop start: \(words)" }
      return "To start `\(words)` with the session, write into \(line.file): \(line.starting(command))"
    }
  }

  private static func commands(_ start: ProgramFacts.Start) -> [[String]] {
    let isSure = start.isSure || start.isRunBySystemd
    return (isSure ? [] : [["autorotate", "--wait"]]) + [["autorotate", "tray"]]
  }

  private func say(_ phrase: Phrase) {
    Console.say(style.shown(localized(phrase)))
  }
}
