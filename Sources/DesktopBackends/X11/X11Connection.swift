// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System

/// A connection to an X server. Requests go out when a reply is asked for or `flush` is called;
/// an error belongs to the request that made it.
final class X11Connection {
  /// xcb's handle.
  let handle: OpaquePointer
  let replies: X11Replies
  let root: xcb_window_t
  let atoms: X11Atoms
  /// For a person: ":0".
  let displayName: String
  /// xcb's own, to be watched for reading.
  var descriptor: Int32 { xcb_get_file_descriptor(handle) }

  /// Whether the server may still have something to do for us when we leave.
  private var isLeftBehind = false

  /// Waits for the connection, but not for long.
  /// - Parameters:
  ///   - display: like `DISPLAY`, which is taken if it is `nil`.
  ///   - patience: for connecting, and again for what is asked then; in nanoseconds.
  /// - Throws: `Message`.
  static func connect(
    display: String? = nil, patience: Int64 = X11Patience().replies
  ) throws -> X11Connection {
    let connecting = try X11Connecting(display: display)
    guard connecting.wait(until: EventLoop.now + patience) else {
      throw Message.silentX(connecting.displayName)
    }
    return try connecting.finish(patience: patience)
  }

  /// - Parameters:
  ///   - handle: is disconnected with this, or if this throws.
  ///   - patience: for the replies of one pass of the loop; in nanoseconds.
  /// - Throws: `Message`.
  init(taking handle: OpaquePointer, screen number: Int32, displayName: String, patience: Int64) throws {
    do throws(Message) {
      guard xcb_connection_has_error(handle) == 0, let screen = Self.screen(handle, number) else {
        throw .xServerHasEnded
      }
      cxcb_prefetch_extensions(handle)
      replies = X11Replies(handle, patience: patience)
      root = screen.root
      atoms = try X11Atoms(handle, replies)
    } catch {
      xcb_disconnect(handle)
      throw error.code == .displaySilent ? .silentX(displayName) : Message.cannotConnectToX(displayName)
    }
    self.handle = handle
    self.displayName = displayName
  }

  isolated deinit {
    // Disconnecting shuts the socket down, for the server too. Closing lets it read what is on the way.
    if isLeftBehind { close(descriptor) } else { xcb_disconnect(handle) }
  }

  /// Lets the server carry out what it was sent, after this has been let go.
  func leaveBehind() {
    isLeftBehind = true
  }

  /// The screen of the display's name, as it was at the time of connecting.
  var screen: xcb_screen_t? { Self.screen(handle, of: root) }

  /// Whether the server has ended, or has thrown us out.
  var isBroken: Bool { xcb_connection_has_error(handle) != 0 }

  func flush() {
    xcb_flush(handle)
  }

  /// Takes the reply to a request, and frees it after `read`.
  /// - Parameter kind: xcb's own `…_reply` function of the request, which knows what its reply looks like, but
  ///   would wait for it without limit.
  func reply<Cookie, Reply, Value>(
    _ cookie: Cookie, _ kind: X11ReplyFunction<Cookie, Reply>,
    _ read: (UnsafeMutablePointer<Reply>) -> Value
  ) throws(Message) -> Value {
    // Every cookie is the request's number, and nothing else.
    let sequence = withUnsafeBytes(of: cookie) { $0.load(as: UInt32.self) }
    guard let reply = try replies.take(sequence) else { throw .xServerHasEnded }
    defer { free(reply) }
    return read(reply.assumingMemoryBound(to: Reply.self))
  }

  /// Learns whether a request without reply has been carried out. Something must have been asked after it.
  func check(_ cookie: xcb_void_cookie_t) throws(Message) {
    free(try replies.take(cookie.sequence))
    if isBroken { throw .xServerHasEnded }
  }

  /// To be called after reading what may be missing, before what is missing is believed to be so.
  func checkAnswers() throws(Message) {
    if isBroken { throw .xServerHasEnded }
    if replies.areLate { throw .xServerIsSilent }
  }

  /// Hands over the events that have come.
  /// - Parameter reading: whether to look at the socket too, or only at what xcb has read already.
  /// - Returns: whether there were any.
  @discardableResult
  func drainEvents(reading: Bool, _ handler: (UnsafeMutablePointer<xcb_generic_event_t>) -> Void) -> Bool {
    var hadAny = false
    while let event = reading ? xcb_poll_for_event(handle) : xcb_poll_for_queued_event(handle) {
      hadAny = true
      handler(event)
      free(event)
    }
    return hadAny
  }

  /// Asks for a window's core events, in place of those asked for before. That there is no such window any
  /// more is no news: whoever asks for its events then reads it, too.
  func select(_ events: UInt32, of window: xcb_window_t) {
    let cookie = xcb_change_window_attributes_checked(
      handle, window, XCB_CW_EVENT_MASK.rawValue, [events])
    xcb_discard_reply(handle, cookie.sequence)
  }

  private static func screen(_ handle: OpaquePointer, _ number: Int32) -> xcb_screen_t? {
    // The number is the user's, and may be any.
    let screens = screens(handle)
    return screens.indices.contains(Int(number)) ? screens[Int(number)] : nil
  }

  private static func screen(_ handle: OpaquePointer, of root: xcb_window_t) -> xcb_screen_t? {
    screens(handle).first { $0.root == root }
  }

  private static func screens(_ handle: OpaquePointer) -> [xcb_screen_t] {
    var screens: [xcb_screen_t] = []
    var iterator = xcb_setup_roots_iterator(xcb_get_setup(handle))
    while iterator.rem > 0, let screen = iterator.data {
      screens.append(screen.pointee)
      xcb_screen_next(&iterator)
    }
    return screens
  }
}

/// xcb's functions that wait for a reply.
typealias X11ReplyFunction<Cookie, Reply> = (
  OpaquePointer?, Cookie, UnsafeMutablePointer<UnsafeMutablePointer<xcb_generic_error_t>?>?
) -> UnsafeMutablePointer<Reply>?

/// A window's property, asked for and on its way.
struct X11Property {
  private let cookie: xcb_get_property_cookie_t

  /// - Parameters:
  ///   - type: a property of another type counts as none.
  ///   - words: how much of it to read, in units of four bytes.
  init(
    _ connection: X11Connection, _ window: xcb_window_t, _ property: xcb_atom_t, type: xcb_atom_enum_t,
    words: UInt32 = 1
  ) {
    self.init(connection, window, property, type: type.rawValue, words: words)
  }

  init(
    _ connection: X11Connection, _ window: xcb_window_t, _ property: xcb_atom_t, type: xcb_atom_t,
    words: UInt32
  ) {
    cookie = xcb_get_property(connection.handle, 0, window, property, type, 0, words)
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
