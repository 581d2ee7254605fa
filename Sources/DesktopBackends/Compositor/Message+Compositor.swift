// SPDX-License-Identifier: MIT

import Autorotation

/// Why a compositor did not do, or not tell, what it was asked over its socket.
nonisolated extension Message {
  static func nobodyListens(at path: String, reason: String) -> Self {
    Self(.displayUnreachable, "nobody answers at \(path) (\(reason))")
  }

  static let connectionClosed = Self(.displayEnded, "the connection was closed")

  /// Nothing came in the time that one waits.
  static let silence = Self(
    .displaySilent, "no answer within \(CompositorContext.usualPatience / 1_000_000_000) s")

  /// What came is not what this compositor says.
  static func garbled(_ what: Phrase) -> Self {
    Self(.displayNonsense, "an answer that makes no sense: \(what)")
  }

  /// It says no; its own words.
  static func refusal(_ words: String) -> Self {
    Self(.displayRefused, "“\(words.printable())”")
  }
}

/// Why there is no such compositor to work with.
nonisolated extension Message {
  static func none(of words: CompositorWords) -> Self {
    Self(
      .displayNone,
      "there is no \(words.name) here: \(words.variable) is not set, and XDG_RUNTIME_DIR has no socket of it",
      next: "start autorotate from within \(words.name)")
  }

  /// - Parameter value: of the environment variable, with no other to be found.
  static func stale(_ value: String, of words: CompositorWords) -> Self {
    Self(
      .displayUnreachable,
      "\(words.variable) names \(value), where nobody answers, and XDG_RUNTIME_DIR has no other socket of "
        + "\(words.name)", next: "start autorotate from within \(words.name)")
  }

  /// - Parameter values: of the environment variable, for each that answers.
  static func several(_ values: [String], of words: CompositorWords) -> Self {
    Self(
      .displaySeveral, "more than one \(words.name) runs here",
      next: "set \(words.variable) to the right one of \(values.joined(separator: ", "))")
  }

  static func mute(_ words: CompositorWords, _ reason: Message) -> Self {
    Self(
      .displaySilent, "\(words.name) does not tell its state (\(reason))",
      next: "see whether `\(words.version)` answers")
  }
}
