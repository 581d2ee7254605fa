// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: localized("Check everything, from the sensor to the touchscreen."),
    discussion: localized(
      """
      One line for each part of the chain from the accelerometer to the screen: ✓ works, ✗ does not work, \
      – is not present and not needed. Nothing is changed. autorotate need not be running. \
      Exit status 0 if everything that is needed works, 1 if not.
      """))

  @Flag(help: .localized("Print one JSON object."))
  var json = false

  @Flag(help: .localized("With --json: print messages in your language instead of English."))
  var local = false

  mutating func run() throws {
    if json, !local { Catalogue.useEnglish() }
    let findings = try MainActor.assumeIsolated { try Examination.gather().findings }
    if json { Console.print(findings.json) } else { findings.print() }
    if !findings.isHealthy { throw ExitStatus.failed }
  }
}

/// One result of `autorotate doctor`, about one part of the chain from the accelerometer to the screen.
struct Finding: Equatable {
  enum State: String {
    case works
    /// Rotation fails or is wrong because of it.
    case broken
    /// Not present, and not needed.
    case notApplicable = "not-applicable"
  }

  var name: String
  var state: State
  /// With the next step for the user.
  var message: Message

  init(_ name: Phrase, _ state: State, _ message: Message) {
    self.name = localized(name)
    self.state = state
    self.message = message
  }

  /// - Parameters:
  ///   - remark: has a next step if something is wrong.
  ///   - isNeeded: whether rotation fails or is wrong without it.
  init(_ name: Phrase, _ remark: Message, isNeeded: Bool = true) {
    let state: State = remark.next == nil ? .works : isNeeded ? .broken : .notApplicable
    self.init(name, state, remark)
  }

  var detail: String { localized(message.what) }
  var nextStep: String? { message.next.map(localized) }

  static func works(_ name: Phrase, _ detail: Phrase, next: Phrase? = nil) -> Self {
    Self(name, .works, Message(.works, detail, next: next))
  }

  static func broken(_ name: Phrase, _ code: Message.Code, _ detail: Phrase, next: Phrase) -> Self {
    Self(name, .broken, Message(code, detail, next: next))
  }

  /// - Parameter next: the next step if the message has none.
  static func broken(_ name: Phrase, _ message: Message, next: Phrase) -> Self {
    Self(name, .broken, Message(message.code, message.what, next: message.next ?? next))
  }

  static func notApplicable(_ name: Phrase, _ detail: Phrase, next: Phrase? = nil) -> Self {
    Self(name, .notApplicable, Message(.notApplicable, detail, next: next))
  }

  fileprivate func mark(_ style: TerminalStyle) -> (String, TerminalStyle.Paint) {
    switch state {
    case .works: (style.isUnicode ? "✓ " : "ok    ", .green)
    case .broken: (style.isUnicode ? "✗ " : "FAIL  ", .red)
    case .notApplicable: (style.isUnicode ? "– " : "n/a   ", .faint)
    }
  }
}

extension [Finding] {
  var isHealthy: Bool { !contains { $0.state == .broken } }

  /// Prints the lines, with colours on a terminal.
  func print(stepsShownLater: [String] = []) {
    for line in lines(TerminalStyle(), stepsShownLater: stepsShownLater) {
      Console.write(line + "\n")
    }
  }

  /// One line for each finding, followed by its next step.
  /// - Parameter stepsShownLater: the next steps to leave out.
  func lines(_ style: TerminalStyle, stepsShownLater: [String] = []) -> [String] {
    let width = (map(\.name.columns).max() ?? 0) + 2
    return flatMap { finding in
      let (mark, paint) = finding.mark(style)
      let line = style.painted(mark, paint) + finding.name.padded(to: width) + style.shown(finding.detail)
      let margin = "".padded(to: mark.count + width)
      let next = finding.nextStep.flatMap { stepsShownLater.contains($0) ? nil : $0 }
      let step = next.map { margin + style.shown("→ \($0)") }
      return [line] + [step].compactMap(\.self)
    }
  }

  /// One JSON object on one line.
  var json: String {
    let findings = map { finding in
      JSON.object([
        ("name", .string(finding.name)), ("state", .string(finding.state.rawValue)),
        ("code", .string(finding.message.code.rawValue)), ("detail", .string(finding.detail)),
        ("nextStep", .optional(finding.nextStep ?? "")),
      ])
    }
    return JSON.object([("healthy", .bool(isHealthy)), ("findings", .array(findings))]).description
  }
}
