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
  func listen(
    event: @escaping (CompositorMessage) -> Void, ended: @escaping (Message) -> Void) throws

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
