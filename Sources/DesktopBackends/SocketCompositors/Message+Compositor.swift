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
    .displaySilent, "no answer within \(CompositorContext.defaultTimeout / 1_000_000_000) s")

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
  static func none(of profile: CompositorProfile) -> Self {
    Self(
      .displayNone,
      "\(profile.name) is not running here: \(profile.variable) is not set, and XDG_RUNTIME_DIR has no socket of it",
      next: "start autorotate from within \(profile.name)")
  }

  /// - Parameter value: of the environment variable; no other socket was found.
  static func stale(_ value: String, of profile: CompositorProfile) -> Self {
    Self(
      .displayUnreachable,
      "\(profile.variable) names \(value), where nothing listens, and XDG_RUNTIME_DIR has no other socket of "
        + "\(profile.name)", next: "start autorotate from within \(profile.name)")
  }

  /// - Parameter values: of the environment variable, for each that answers.
  static func several(_ values: [String], of profile: CompositorProfile) -> Self {
    Self(
      .displaySeveral, "more than one \(profile.name) runs here",
      next: "set \(profile.variable) to the right one of \(values.joined(separator: ", "))")
  }

  static func mute(_ profile: CompositorProfile, _ reason: Message) -> Self {
    Self(
      .displaySilent, "\(profile.name) does not report its state (\(reason))",
      next: "check whether `\(profile.version)` answers")
  }
}
