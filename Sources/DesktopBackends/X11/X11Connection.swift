// SPDX-License-Identifier: MIT

import CXCB
import Glibc

/// A connection to an X server. Requests go out when a reply is asked for or `flush` is called;
/// an error belongs to the request that made it.
final class X11Connection {
  /// xcb's handle.
  let handle: OpaquePointer
  let root: xcb_window_t
  let atoms: X11Atoms
  /// For a person: ":0".
  let displayName: String

  /// - Parameter display: like `DISPLAY`, which is taken if it is `nil`.
  init(display: String?) throws {
    let name = display ?? getenv("DISPLAY").map { String(cString: $0) }
    guard let name, !name.isEmpty else { throw X11Unavailable.noDisplay }
    var screenNumber: Int32 = 0
    guard let handle = xcb_connect(name, &screenNumber) else { throw X11Unavailable.cannotConnect(name) }
    do {
      guard xcb_connection_has_error(handle) == 0, let screen = Self.screen(handle, screenNumber) else {
        throw X11Unavailable.cannotConnect(name)
      }
      self.root = screen.root
      self.atoms = try X11Atoms(handle)
    } catch {
      xcb_disconnect(handle)
      throw error
    }
    self.handle = handle
    displayName = name
  }

  isolated deinit {
    xcb_disconnect(handle)
  }

  /// The screen of the display's name, as it was at the time of connecting.
  var screen: xcb_screen_t? { Self.screen(handle, of: root) }

  var descriptor: Int32 { xcb_get_file_descriptor(handle) }

  /// Whether the server has ended, or has thrown us out.
  var isBroken: Bool { xcb_connection_has_error(handle) != 0 }

  func flush() {
    xcb_flush(handle)
  }

  /// Waits for the reply to a request, and frees it after `read`.
  /// - Parameter collect: xcb's own `…_reply` function of the request.
  func reply<Cookie, Reply, Value>(
    _ cookie: Cookie, _ collect: X11ReplyFunction<Cookie, Reply>,
    _ read: (UnsafeMutablePointer<Reply>) -> Value
  ) throws(X11Error) -> Value {
    var error: UnsafeMutablePointer<xcb_generic_error_t>?
    guard let reply = collect(handle, cookie, &error) else { throw X11Error(taking: error) }
    defer { free(reply) }
    return read(reply)
  }

  /// Waits until a request without reply has been carried out.
  func check(_ cookie: xcb_void_cookie_t) throws(X11Error) {
    if let error = xcb_request_check(handle, cookie) { throw X11Error(taking: error) }
    if isBroken { throw .gone }
  }

  /// Hands over the events that have come.
  /// - Parameter reading: whether to look at the socket too, or only at what xcb has read already.
  func drainEvents(reading: Bool, _ handler: (UnsafeMutablePointer<xcb_generic_event_t>) -> Void) {
    let next = reading ? xcb_poll_for_event : xcb_poll_for_queued_event
    while let event = next(handle) {
      handler(event)
      free(event)
    }
  }

  /// Asks for a window's core events, in place of those asked for before. That there is no such window any
  /// more is no news: whoever asks for its events then reads it, too.
  func select(_ events: UInt32, of window: xcb_window_t) {
    let cookie = xcb_change_window_attributes_checked(
      handle, window, XCB_CW_EVENT_MASK.rawValue, [events])
    xcb_discard_reply(handle, cookie.sequence)
  }

  func hasExtension(_ name: String) throws(X11Error) -> Bool {
    let cookie = xcb_query_extension(handle, UInt16(name.utf8.count), name)
    return try reply(cookie, xcb_query_extension_reply) { $0.pointee.present != 0 }
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
