// SPDX-License-Identifier: MIT

package import Autorotation
import Language

/// What people are told of a compositor: its name, and how they can help themselves.
nonisolated struct CompositorWords: Sendable {
  /// For a person: "sway".
  var name: String
  /// What its process may be called, in small letters.
  var programs: [String]
  /// The environment variable by which it is found, and the beginning of what lies for it in XDG_RUNTIME_DIR.
  var variable: String
  var socketPrefix: String
  /// Commands that show its version, show its outputs, and let it read its configuration again.
  var version: String
  var listing: String
  var reload: String
  /// How to switch an output on: "with `…`".
  var switchingOn: @Sendable (_ output: String) -> Phrase
  /// What to look at when an output was not turned.
  var nextStep: @Sendable (_ output: String) -> Phrase
  /// What a name must not have to be said to it.
  var cannotSay: @Sendable (Character) -> Bool = { _ in false }
}

/// Why there is no such compositor to work with.
nonisolated package struct CompositorUnavailable: Error, Equatable, CustomStringConvertible {
  enum Problem: Error, Equatable {
    case none
    /// The environment names this one, where nobody answers, and there is no other.
    case stale(String)
    /// These all answer.
    case several([String])
    /// It does not say what it must.
    case mute(CompositorFailure)
  }

  let problem: Problem
  package let message: Message

  package var description: String { localized(message.phrase) }

  init(_ words: CompositorWords, _ problem: Problem) {
    self.problem = problem
    message = Self.message(words, problem)
  }

  private static func message(_ words: CompositorWords, _ problem: Problem) -> Message {
    switch problem {
    case .none:
      Message(
        .displayNone,
        "there is no \(words.name) here: \(words.variable) is not set, and XDG_RUNTIME_DIR has no socket of it",
        next: "start autorotate from within \(words.name)")
    case .stale(let value):
      Message(
        .displayUnreachable,
        "\(words.variable) names \(value), where nobody answers, and XDG_RUNTIME_DIR has no other socket of "
          + "\(words.name)", next: "start autorotate from within \(words.name)")
    case .several(let values):
      Message(
        .displaySeveral, "more than one \(words.name) runs here",
        next: "set \(words.variable) to the right one of \(values.joined(separator: ", "))")
    case .mute(let failure):
      Message(
        .displaySilent, "\(words.name) does not tell its state (\(failure.phrase))",
        next: "see whether `\(words.version)` answers")
    }
  }
}

nonisolated extension CompositorUnavailable: DisplayUnavailable {
  package var outlook: Outlook {
    switch problem {
    case .none, .stale: .absent
    case .mute: .busy
    case .several: .hopeless
    }
  }
}
