// SPDX-License-Identifier: MIT

import Autorotation

/// A message to or from a compositor.
struct CompositorMessage: Equatable {
  /// Its kind, where that is no part of what it says.
  var type: UInt32 = 0
  var payload: [UInt8]

  init(type: UInt32 = 0, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }

  init(_ text: String) {
    self.init(payload: Array(text.utf8))
  }
}

/// The way to a compositor. Nothing here waits for the other side.
protocol CompositorConversation: AnyObject {
  typealias Answer = Result<[UInt8], Message>

  /// - Parameters:
  ///   - event: takes what the compositor tells by itself.
  ///   - ended: called once, with the reason, when it will tell nothing more.
  func listen(
    event: @escaping (CompositorMessage) -> Void, ended: @escaping (Message) -> Void) throws

  /// - Parameter completion: called once, though not after `close`; from within this call if it cannot be asked.
  func ask(_ question: CompositorMessage, completion: @escaping (Answer) -> Void)

  /// Whether it may be asked again before it has answered, and answers in that order.
  var answersInOrder: Bool { get }

  /// What is asked from within `asking` goes out at once, where it may: the compositor wakes up once for all of it.
  func together(_ asking: () -> Void)

  /// How long each answer may take from now on, in nanoseconds.
  var patience: Int64 { get set }

  func close()
}

extension CompositorConversation {
  func together(_ asking: () -> Void) { asking() }
}
