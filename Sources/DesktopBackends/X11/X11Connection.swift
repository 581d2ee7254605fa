// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// A connection to an X server. Requests are sent when a reply is received or `flush` is called. Errors are reported
/// with the request that caused them.
final class X11Connection {
  /// xcb's handle.
  let handle: OpaquePointer
  let replies: X11Replies
  /// The screen of the display's name, in its state when the connection was made.
  let screen: xcb_screen_t
  var root: xcb_window_t { screen.root }
  let atoms: X11Atoms
  /// For the user: ":0".
  let displayName: String
  /// xcb's descriptor, to be watched for reading.
  var descriptor: Int32 { xcb_get_file_descriptor(handle) }

  /// Whether the server still has to carry out requests after the end of this connection.
  var keepsPendingRequests = false

  /// Waits for the connection with a time limit.
  /// - Parameters:
  ///   - display: like `DISPLAY`; `nil` for `DISPLAY` itself.
  ///   - timeout: for connecting, and again for the first replies; in nanoseconds.
  /// - Throws: `Message`.
  static func connect(
    display: String? = nil, timeout: Int64 = X11Timeouts().replies
  ) throws -> X11Connection {
    let connecting = try X11ConnectionAttempt(display: display)
    guard connecting.wait(until: EventLoop.now + timeout) else {
      throw Message.silentX(connecting.displayName)
    }
    return try connecting.finish(timeout: timeout)
  }

  /// - Parameters:
  ///   - handle: disconnected at the end of this object, or if this throws.
  ///   - timeout: for the replies of one pass of the loop; in nanoseconds.
  /// - Throws: `Message`.
  init(taking handle: OpaquePointer, screen number: Int32, displayName: String, timeout: Int64) throws {
    do throws(Message) {
      guard xcb_connection_has_error(handle) == 0, let screen = Self.screen(handle, number) else {
        throw .xServerHasEnded
      }
      cxcb_prefetch_extensions(handle)
      replies = X11Replies(handle, timeout: timeout)
      self.screen = screen
      atoms = try X11Atoms(handle, replies)
    } catch {
      xcb_disconnect(handle)
      throw error.code == .displaySilent ? .silentX(displayName) : Message.cannotConnectToX(displayName)
    }
    self.handle = handle
    self.displayName = displayName
  }

  isolated deinit {
    // xcb_disconnect shuts the socket down, also for the server. Closing alone lets the server read pending requests.
    if keepsPendingRequests { close(descriptor) } else { xcb_disconnect(handle) }
  }

  /// Whether the server has ended, or has closed the connection.
  var isBroken: Bool { xcb_connection_has_error(handle) != 0 }

  func flush() {
    xcb_flush(handle)
  }

  /// Receives the reply to a request, and frees it after `read`.
  /// - Parameter kind: xcb's `…_reply` function of the request, which only determines the type of the reply: it would
  ///   wait without limit.
  func reply<Cookie, Reply, Value>(
    _ cookie: Cookie, _ kind: X11ReplyFunction<Cookie, Reply>, _ read: (UnsafeMutablePointer<Reply>) -> Value
  ) throws(Message) -> Value {
    // Every cookie consists of the request's sequence number alone.
    let sequence = withUnsafeBytes(of: cookie) { $0.load(as: UInt32.self) }
    guard let reply = try replies.receive(sequence) else { throw .xServerHasEnded }
    defer { free(reply) }
    return read(reply.assumingMemoryBound(to: Reply.self))
  }

  /// Throws if a request without reply has failed. Needs a later request with a reply.
  func check(_ cookie: xcb_void_cookie_t) throws(Message) {
    free(try replies.receive(cookie.sequence))
    if isBroken { throw .xServerHasEnded }
  }

  /// Throws if replies are missing because the server is silent or gone.
  /// To be called before a missing value is relied on.
  func checkAnswers() throws(Message) {
    if isBroken { throw .xServerHasEnded }
    if replies.areLate { throw .xServerIsSilent }
  }

  /// Handles all received events.
  /// - Parameter reading: whether to read from the socket, or only from xcb's queue.
  /// - Returns: whether there were any.
  @discardableResult
  func drainEvents(reading: Bool, _ handler: (X11Event) -> Void) -> Bool {
    var hadAny = false
    while let event = reading ? xcb_poll_for_event(handle) : xcb_poll_for_queued_event(handle) {
      hadAny = true
      handler(event)
      free(event)
    }
    return hadAny
  }

  /// Selects a window's core events, in place of those selected before. An error for a destroyed window is ignored: the
  /// caller reads the window next and notices that.
  func select(_ events: UInt32, of window: xcb_window_t) {
    let cookie = xcb_change_window_attributes_checked(handle, window, XCB_CW_EVENT_MASK.rawValue, [events])
    xcb_discard_reply(handle, cookie.sequence)
  }

  private static func screen(_ handle: OpaquePointer, _ number: Int32) -> xcb_screen_t? {
    var iterator = xcb_setup_roots_iterator(xcb_get_setup(handle))
    // The number comes from the user, and may be invalid.
    guard (0..<iterator.rem).contains(number) else { return nil }
    for _ in 0..<number { xcb_screen_next(&iterator) }
    return iterator.data?.pointee
  }
}

/// The type of xcb's functions that wait for a reply.
typealias X11ReplyFunction<Cookie, Reply> = (
  OpaquePointer?, Cookie, UnsafeMutablePointer<UnsafeMutablePointer<xcb_generic_error_t>?>?
) -> UnsafeMutablePointer<Reply>?

/// A pending request for a window's property.
struct X11Property {
  private let cookie: xcb_get_property_cookie_t

  /// - Parameters:
  ///   - type: a property of another type counts as missing.
  ///   - words: how much of it to read, in units of four bytes.
  init(
    _ connection: X11Connection, _ window: xcb_window_t, _ property: xcb_atom_t, type: xcb_atom_t,
    words: UInt32 = 1
  ) {
    cookie = xcb_get_property(connection.handle, 0, window, property, type, 0, words)
  }

  /// A property of the root window.
  init(rootOf connection: X11Connection, _ name: X11Name, type: xcb_atom_enum_t, words: UInt32 = 1) {
    self.init(connection, connection.root, connection.atoms[name], type: type.rawValue, words: words)
  }

  /// The numbers of a property of 32-bit format.
  /// - Returns: `nil` if there is no such property, or no such window.
  func numbers(_ connection: X11Connection) -> [UInt32]? {
    collect(connection, format: 32) { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
    }
  }

  /// The text of a property of 8-bit format.
  /// - Returns: `nil` if there is no such property, or no such window.
  func text(_ connection: X11Connection) -> String? {
    collect(connection, format: 8) { String(decoding: $0, as: UTF8.self) }
  }

  private func collect<Value>(
    _ connection: X11Connection, format: UInt8, _ read: (UnsafeRawBufferPointer) -> Value
  ) -> Value? {
    let value = try? connection.reply(cookie, xcb_get_property_reply) { reply -> Value? in
      guard reply.pointee.format == format else { return nil }
      let count = Int(xcb_get_property_value_length(reply))
      return read(UnsafeRawBufferPointer(start: xcb_get_property_value(reply), count: count))
    }
    return value ?? nil
  }
}

/// An event of the X server, valid while it is handled.
typealias X11Event = UnsafeMutablePointer<xcb_generic_event_t>

extension X11Event {
  /// Its number, without the mark of events that another client has sent.
  var number: Int32 { Int32(pointee.response_type & 0x7f) }

  /// The event in its own type.
  func contents<Contents>() -> Contents { UnsafeRawPointer(self).load(as: Contents.self) }

  /// The number of an event of the extension with this opcode; `nil` for all others.
  func number(in opcode: UInt8) -> Int32? {
    guard number == XCB_GE_GENERIC else { return nil }
    let head: xcb_ge_generic_event_t = contents()
    return head.extension == opcode ? Int32(head.event_type) : nil
  }
}

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
