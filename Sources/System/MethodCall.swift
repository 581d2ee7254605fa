// SPDX-License-Identifier: MIT

import CSystemd

/// A call that came in, to be answered once. One that is let go unanswered is answered with an
/// error, so that nobody waits in vain.
package final class MethodCall {
  package let arguments: [Value]
  /// The caller's unique name; `nil` on a connection without a bus.
  package let sender: String?
  private let message: BusMessage
  private var isAnswered = false

  init(_ message: BusMessage) throws(BusError) {
    self.message = message
    arguments = try message.arguments(upTo: .call)
    sender = message.sender
  }

  isolated deinit {
    fail(BusError(BusError.noReply, "the call was dropped without an answer"))
  }

  /// Values that do not make a message become an error for the caller.
  package func reply(_ values: [Value] = []) {
    guard !isAnswered else { return }
    do throws(BusError) {
      let reply = try BusMessage("answering", arguments: values) { message in
        sd_bus_message_new_method_return(self.message.pointer, &message)
      }
      send(reply)
    } catch {
      fail(error)
    }
  }

  package func fail(_ error: BusError) {
    guard !isAnswered else { return }
    let reply = try? BusMessage("answering", arguments: []) { message in
      Self.newError(error, to: self.message.pointer, &message)
    }
    if let reply { send(reply) }
    isAnswered = true
  }

  private func send(_ reply: BusMessage) {
    isAnswered = true
    // Whether the caller is still there to hear it is the caller's concern.
    sd_bus_send(nil, reply.pointer, nil)
  }

  private static func newError(
    _ error: BusError, to call: OpaquePointer, _ message: inout OpaquePointer?
  ) -> Int32 {
    var copy = sd_bus_error()
    defer { sd_bus_error_free(&copy) }
    sd_bus_error_set(&copy, error.validName, error.message)
    return sd_bus_message_new_method_error(call, &message, &copy)
  }
}
