// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

/// An extension of the X server without a complete xcb library.
struct X11Extension {
  let opcode: UInt8
  /// The code of its first event.
  let firstEvent: UInt8
  private let connection: X11Connection

  /// `nil` if the server does not have it.
  init?(_ name: String, _ connection: X11Connection) throws(Message) {
    let cookie = xcb_query_extension(connection.handle, UInt16(name.utf8.count), name)
    let found = try connection.reply(cookie, xcb_query_extension_reply) {
      $0.pointee.present != 0 ? ($0.pointee.major_opcode, $0.pointee.first_event) : nil
    }
    guard let found else { return nil }
    (opcode, firstEvent) = found
    self.connection = connection
  }

  /// - Parameters:
  ///   - request: its minor opcode.
  ///   - arguments: at most two.
  ///   - read: receives the reply.
  func query<Value>(
    _ request: UInt8, _ arguments: [UInt32] = [], _ read: (UnsafeMutableRawPointer) -> Value
  ) throws(Message) -> Value {
    guard let reply = try connection.replies.receive(send(request, arguments, isAnswered: true)) else {
      throw .xServerHasEnded
    }
    defer { free(reply) }
    return read(reply)
  }

  /// Sends a request that has no reply.
  /// - Returns: whether the server carried it out.
  func perform(_ request: UInt8, _ arguments: [UInt32]) throws(Message) -> Bool {
    let sequence = send(request, arguments, isAnswered: false)
    // The reply to a later request shows that no error is outstanding.
    let fence = xcb_get_input_focus(connection.handle)
    _ = try connection.reply(fence, xcb_get_input_focus_reply) { _ in }
    do throws(Message) {
      try connection.check(xcb_void_cookie_t(sequence: sequence))
      return true
    } catch {
      try connection.checkAnswers()
      return false
    }
  }

  private func send(_ request: UInt8, _ arguments: [UInt32], isAnswered: Bool) -> UInt32 {
    cxcb_extension_request(
      connection.handle, opcode, request, arguments, UInt8(clamping: arguments.count), isAnswered ? 1 : 0)
  }
}
