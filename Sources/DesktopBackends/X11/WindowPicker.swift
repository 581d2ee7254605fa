// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
package import System

/// A window that a person clicked or touched.
package struct PickedWindow: Equatable {
  /// As rules match them, the best known first.
  package let names: [String]
  package let isFullscreen: Bool
}

/// Takes the next click or touch on an X server for itself, with a cross for a pointer, and tells on which window it was.
/// The window does not get it.
package final class WindowPicker {
  private static let patience: Int64 = 2_000_000_000

  private enum Name: String, CaseIterable { case managed = "WM_STATE" }

  private let connection: X11Connection
  private let atoms: FocusAtoms
  private let managed: xcb_atom_t
  private let picked: (PickedWindow?) -> Void
  private var reading: EventSource?
  private var target: xcb_window_t?

  /// - Parameters:
  ///   - environment: looks a variable up.
  ///   - picked: called from the loop, at most once; with `nil` for the desktop, another button, and a window without a
  ///     name.
  /// - Returns: `nil` where this is not a session of X11, or somebody else has the pointer.
  package init?(
    loop: EventLoop, _ environment: (String) -> String? = Environment.variable,
    picked: @escaping (PickedWindow?) -> Void
  ) {
    let isX11 = environment("WAYLAND_DISPLAY")?.isEmpty ?? true
    guard isX11, environment("DISPLAY") != nil,
      let connection = try? X11Connection.connect(patience: Self.patience),
      let atoms = try? FocusAtoms(connection),
      let names = try? Atoms<Name>(connection.handle, connection.replies)
    else { return nil }
    self.connection = connection
    self.atoms = atoms
    self.picked = picked
    managed = names[.managed]
    guard grab(), let reading = try? loop.watch(connection.descriptor, { [weak self] in self?.read() })
    else { return nil }
    self.reading = reading
  }

  private func grab() -> Bool {
    let events = XCB_EVENT_MASK_BUTTON_PRESS.rawValue | XCB_EVENT_MASK_BUTTON_RELEASE.rawValue
    let asynchronous = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = xcb_grab_pointer(
      connection.handle, 0, connection.root, UInt16(events), asynchronous, asynchronous,
      XCB_WINDOW_NONE.rawValue, cross(), 0)
    let status = try? connection.reply(cookie, xcb_grab_pointer_reply) { UInt32($0.pointee.status) }
    return status == XCB_GRAB_STATUS_SUCCESS.rawValue
  }

  /// Of the font that every X server has for pointers; none, where it has not.
  private func cross() -> xcb_cursor_t {
    let font = xcb_generate_id(connection.handle)
    let cursor = xcb_generate_id(connection.handle)
    let (name, shape) = ("cursor", UInt16(34))
    xcb_open_font(connection.handle, font, UInt16(name.utf8.count), name)
    xcb_create_glyph_cursor(
      connection.handle, cursor, font, font, shape, shape + 1, 0, 0, 0, .max, .max, .max)
    return cursor
  }

  private func read() {
    connection.drainEvents(reading: true) { event in
      switch UInt32(event.pointee.response_type & 0x7F) {
      case UInt32(XCB_BUTTON_PRESS):
        event.withMemoryRebound(to: xcb_button_press_event_t.self, capacity: 1, press)
      // Before that, the release would go to the window.
      case UInt32(XCB_BUTTON_RELEASE): finish()
      default: break
      }
    }
    if connection.isBroken { finish() }
  }

  private func press(_ event: UnsafeMutablePointer<xcb_button_press_event_t>) {
    target = event.pointee.detail == 1 ? event.pointee.child : XCB_WINDOW_NONE.rawValue
  }

  private func finish() {
    guard let target, reading != nil else { return }
    reading?.cancel()
    reading = nil
    xcb_ungrab_pointer(connection.handle, 0)
    connection.flush()
    let window = client(in: target).flatMap {
      FocusWindowRequest(connection, $0, atoms).collect(connection, atoms)
    }
    picked(window.flatMap(PickedWindow.init))
  }

  /// The window manager's frame is around it.
  private func client(in frame: xcb_window_t) -> xcb_window_t? {
    guard frame != XCB_WINDOW_NONE.rawValue else { return nil }
    var level = [frame]
    // Frames are a few windows deep, and what is below an application's own is not looked at.
    for _ in 0..<5 {
      if let found = level.first(where: isManaged) { return found }
      level = level.flatMap(children)
    }
    return frame
  }

  private func isManaged(_ window: xcb_window_t) -> Bool {
    X11Property(connection, window, managed, type: managed, words: 2).numbers(connection) != nil
  }

  private func children(of window: xcb_window_t) -> [xcb_window_t] {
    let cookie = xcb_query_tree(connection.handle, window)
    let found = try? connection.reply(cookie, xcb_query_tree_reply) { reply in
      let start = xcb_query_tree_children(reply)
      return Array(UnsafeBufferPointer(start: start, count: Int(xcb_query_tree_children_length(reply))))
    }
    return found ?? []
  }
}

extension PickedWindow {
  init?(_ window: FocusWindow) {
    guard !window.identifiers.isEmpty else { return nil }
    self.init(names: window.identifiers, isFullscreen: window.isFullscreen)
  }
}
