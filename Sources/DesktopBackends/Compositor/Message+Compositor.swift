// SPDX-License-Identifier: MIT

import Autorotation

/// Why a request over a compositor's socket failed.
nonisolated extension Message {
  static func nobodyListens(at path: String, reason: String) -> Self {
    Self(.displayUnreachable, "nothing listens on \(path) (\(reason))")
  }

  static let connectionClosed = Self(.displayEnded, "the connection was closed")

  /// No answer before the timeout.
  static let silence = Self(
    .displaySilent, "no answer within \(CompositorContext.usualPatience / 1_000_000_000) s")

  /// The answer is not one of this compositor.
  static func garbled(_ what: Phrase) -> Self {
    Self(.displayNonsense, "an answer that makes no sense: \(what)")
  }

  /// The compositor refused, in its own words.
  static func refusal(_ words: String) -> Self {
    Self(.displayRefused, "“\(words.printable())”")
  }
}

/// Why no such compositor is available.
nonisolated extension Message {
  static func none(of words: CompositorWords) -> Self {
    Self(
      .displayNone,
      "\(words.name) is not running here: \(words.variable) is not set, and XDG_RUNTIME_DIR has no socket of it",
      next: "start autorotate from within \(words.name)")
  }

  /// - Parameter value: of the environment variable; no other socket was found.
  static func stale(_ value: String, of words: CompositorWords) -> Self {
    Self(
      .displayUnreachable,
      "\(words.variable) names \(value), where nothing listens, and XDG_RUNTIME_DIR has no other socket of "
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
      .displaySilent, "\(words.name) does not report its state (\(reason))",
      next: "check whether `\(words.version)` answers")
  }
}
