// SPDX-License-Identifier: MIT

import Autorotation

/// A message to or from a compositor.
struct CompositorMessage: Equatable {
  /// The message type, where that is not part of the payload.
  var type: UInt32 = 0
  var payload: [UInt8]
}

extension CompositorMessage {
  init(_ text: String) {
    self.init(payload: Array(text.utf8))
  }
}

/// A connection to a compositor. Nothing here blocks.
protocol CompositorChannel: AnyObject {
  typealias Answer = Result<[UInt8], Message>

  /// - Parameters:
  ///   - event: called with each event that the compositor sends.
  ///   - ended: called once, with the reason, when no more events will come.
  func listen(event: @escaping (CompositorMessage) -> Void, ended: @escaping (Message) -> Void) throws

  /// - Parameter completion: called once, but not after `close`; from within this call if the request cannot be sent.
  func ask(_ question: CompositorMessage, completion: @escaping (Answer) -> Void)

  /// Whether requests may overlap; they are then answered in order.
  var answersInOrder: Bool { get }

  /// Requests made within `asking` are sent at once, where possible: the compositor wakes up once for all of them.
  func together(_ asking: () -> Void)

  /// The timeout of each answer from now on, in nanoseconds.
  var timeout: Int64 { get set }

  func close()
}

extension CompositorChannel {
  func together(_ asking: () -> Void) { asking() }
}

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

  static let tooLong = garbled("more than \(CompositorSocket.maximumBytes) bytes")

  /// The compositor refused, in its own words.
  static func refusal(_ words: String) -> Self { Self(.displayRefused, "“\(words.printable())”") }

  // MARK: Why no such compositor is available

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
