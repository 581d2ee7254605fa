// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// A connection to an X server. Requests are sent when a reply is received or `flush` is called. Errors are reported
/// with the request that caused them.
final class X11Connection {
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
      replies = X11Replies(handle, displayName: displayName, timeout: timeout)
      self.screen = screen
      atoms = try X11Atoms(handle, replies)
    } catch {
      xcb_disconnect(handle)
      throw error.code == .displaySilent ? error : Message.cannotConnectToX(displayName)
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
    return try replies.receive(sequence) { read($0.assumingMemoryBound(to: Reply.self)) }
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
    if replies.areLate { throw .silentX(displayName) }
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

/// A pending request.
struct X11Request<Value> {
  /// Receives the reply. To be called once: xcb keeps replies until they are received.
  let receive: () throws(Message) -> Value
}

/// A pending request for a property of a window, an input device or an output.
struct X11Property {
  /// Receives its format and contents; `nil` if there is no such object.
  private let receive: () -> (UInt8, [UInt8])?

  /// - Parameters:
  ///   - type: a property of another type counts as missing.
  ///   - words: how much of it to read, in units of four bytes.
  init(
    _ connection: X11Connection, _ window: xcb_window_t, _ property: xcb_atom_t, type: xcb_atom_t,
    words: UInt32 = 1
  ) {
    let cookie = xcb_get_property(connection.handle, 0, window, property, type, 0, words)
    receive = {
      try? connection.reply(cookie, xcb_get_property_reply) { reply -> (UInt8, [UInt8]) in
        let start = xcb_get_property_value(reply)?.assumingMemoryBound(to: UInt8.self)
        return (reply.pointee.format, array(start, xcb_get_property_value_length(reply)))
      }
    }
  }

  /// A property of the root window.
  init(rootOf connection: X11Connection, _ name: X11Name, type: xcb_atom_enum_t, words: UInt32 = 1) {
    self.init(connection, connection.root, connection.atoms[name], type: type.rawValue, words: words)
  }

  /// A property of an input device.
  /// - Parameter type: 0 for any.
  init(
    of device: xcb_input_device_id_t, _ connection: X11Connection, _ name: X11Name, type: xcb_atom_t = 0,
    words: UInt32 = 1
  ) {
    let property = connection.atoms[name]
    let cookie = xcb_input_xi_get_property(connection.handle, device, 0, property, type, 0, words)
    receive = {
      try? connection.reply(cookie, xcb_input_xi_get_property_reply) { reply -> (UInt8, [UInt8]) in
        let start = xcb_input_xi_get_property_items(reply)?.assumingMemoryBound(to: UInt8.self)
        let count = Int(reply.pointee.num_items) * Int(reply.pointee.format / 8)
        return (reply.pointee.format, array(start, Int32(clamping: count)))
      }
    }
  }

  /// A property of an output, whose value is an atom.
  init(ofOutput output: xcb_randr_output_t, _ connection: X11Connection, _ name: X11Name) {
    let (handle, property) = (connection.handle, connection.atoms[name])
    let cookie = xcb_randr_get_output_property(handle, output, property, XCB_ATOM_ATOM.rawValue, 0, 1, 0, 0)
    receive = {
      try? connection.reply(cookie, xcb_randr_get_output_property_reply) { reply -> (UInt8, [UInt8]) in
        let count = xcb_randr_get_output_property_data_length(reply)
        return (reply.pointee.format, array(xcb_randr_get_output_property_data(reply), count))
      }
    }
  }

  /// The numbers of a property of 32-bit format. Here and below: `nil` if there is no such property, or no such object.
  func numbers() -> [UInt32]? { values() }

  /// The floating-point numbers of a property of 32-bit format.
  func floats() -> [Float]? { values() }

  /// The bytes of a property of 8-bit format.
  func bytes() -> [UInt8]? { values() }

  /// The text of a property of 8-bit format.
  func text() -> String? {
    bytes().map { String(decoding: $0, as: UTF8.self) }
  }

  private func values<Value: BitwiseCopyable>() -> [Value]? {
    let size = MemoryLayout<Value>.size
    guard let (format, bytes) = receive(), Int(format) == 8 * size else { return nil }
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / size).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: Value.self) }
    }
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
    try connection.replies.receive(send(request, arguments, isAnswered: true), read)
  }

  /// Sends a request that has no reply.
  func perform(_ request: UInt8, _ arguments: [UInt32]) {
    xcb_discard_reply(connection.handle, send(request, arguments, isAnswered: false))
  }

  private func send(_ request: UInt8, _ arguments: [UInt32], isAnswered: Bool) -> UInt32 {
    cxcb_extension_request(
      connection.handle, opcode, request, arguments, UInt8(clamping: arguments.count), isAnswered ? 1 : 0)
  }
}
