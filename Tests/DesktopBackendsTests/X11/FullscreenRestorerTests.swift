// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

/// The requests to the window manager, for which the test stands in, for a fullscreen window that it has moved.
@Suite("fullscreen windows on X11", .enabled(if: Xvfb.isInstalled, "install xvfb to run them"))
@MainActor
final class FullscreenRestorerTests {
  private let server: Xvfb
  private let loop: EventLoop
  private let connection: X11Connection
  private let randr: RandR
  /// The window manager, which owns the window as well.
  private let manager: X11Connection
  private let window: xcb_window_t
  private var dueChecks = 0

  private static let screen = ScreenRectangle(x: 0, y: 0, width: 1280, height: 800)

  init() throws {
    server = try #require(Xvfb())
    loop = try EventLoop()
    connection = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
    randr = try RandR(connection)
    manager = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
    window = xcb_generate_id(manager.handle)
    var attributes = [XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue]
    xcb_change_window_attributes(manager.handle, manager.root, XCB_CW_EVENT_MASK.rawValue, &attributes)
    xcb_create_window(
      manager.handle, 0, window, manager.root, 0, 0, 1280, 800, 0,
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0, nil)
    xcb_map_window(manager.handle, window)
    try setFullscreen(true)
  }

  private func setFullscreen(_ isOn: Bool) throws {
    var states = isOn ? [manager.atoms[.fullscreen]] : []
    xcb_change_property(
      manager.handle, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, manager.atoms[.windowState],
      XCB_ATOM_ATOM.rawValue, 32, UInt32(states.count), &states)
    try settle()
  }

  private func move(x: UInt32) throws {
    var numbers = [x]
    xcb_configure_window(manager.handle, window, UInt16(XCB_CONFIG_WINDOW_X.rawValue), &numbers)
    try settle()
  }

  /// Returns when the server has handled the requests of the window manager.
  private func settle() throws {
    _ = manager.replies.beginPass()
    _ = try manager.replies.receive(xcb_get_input_focus(manager.handle).sequence)
  }

  /// The requests that the window manager has received: the name, and five words.
  private func requests() throws -> [[UInt32]] {
    _ = connection.replies.beginPass()
    _ = try connection.replies.receive(xcb_get_input_focus(connection.handle).sequence)
    try settle()
    var found: [[UInt32]] = []
    while let event = xcb_poll_for_event(manager.handle) {
      defer { free(event) }
      guard Int32(event.pointee.response_type & 0x7f) == XCB_CLIENT_MESSAGE else { continue }
      event.withMemoryRebound(to: xcb_client_message_event_t.self, capacity: 1) { message in
        let words = withUnsafeBytes(of: message.pointee.data) { Array($0.bindMemory(to: UInt32.self)) }
        if message.pointee.window == window { found.append([message.pointee.type] + words) }
      }
    }
    return found
  }

  private func restorer() throws -> FullscreenRestorer {
    try FullscreenRestorer(connection, loop: loop) { [unowned self] in dueChecks += 1 }
  }

  private func record(_ restorer: FullscreenRestorer, outputs: [String] = ["screen"]) throws {
    _ = connection.replies.beginPass()
    restorer.record(outputs, try randr.read(), [window])
    restorer.outputsRotated()
  }

  /// Waits for a check, and makes it.
  private func check(_ restorer: FullscreenRestorer) throws {
    let count = dueChecks
    try loop.wait(for: "a check") { dueChecks > count }
    _ = connection.replies.beginPass()
    try restorer.refresh(randr)
  }

  private var isScheduled: Bool {
    get throws {
      try loop.runPending()
      return loop.nextTimer != nil
    }
  }

  @Test func `a moved window is moved back, then restored`() throws {
    let restorer = try restorer()
    try record(restorer)
    try move(x: 300)
    try check(restorer)
    let (state, place) = (connection.atoms[.windowState], connection.atoms[.moveResize])
    #expect(try requests() == [[place, 0x2F01, 0, 0, 1280, 800]])
    try check(restorer)
    let fullscreen = connection.atoms[.fullscreen]
    #expect(
      try requests() == [
        [state, 0, fullscreen, 0, 2, 0], [place, 0x2301, 0, 0, 1280, 800], [state, 1, fullscreen, 0, 2, 0],
      ])
    try check(restorer)
    #expect(try requests().count == 3)
    #expect(try !isScheduled)
  }

  @Test func `a window in its place is left alone`() throws {
    let restorer = try restorer()
    try record(restorer)
    try check(restorer)
    #expect(try requests().isEmpty)
    try setFullscreen(false)
    try move(x: 300)
    try check(restorer)
    #expect(try requests().isEmpty)
    #expect(try !isScheduled, "no fullscreen window is left")
  }

  @Test func `windows elsewhere are not recorded`() throws {
    let restorer = try restorer()
    try record(restorer, outputs: ["other"])
    #expect(try !isScheduled)
    try move(x: 300)
    try record(restorer)
    #expect(try !isScheduled)
    try move(x: 0)
    try setFullscreen(false)
    try record(restorer)
    #expect(try !isScheduled)
  }

  @Test func `a second rotation keeps the window's output`() throws {
    let restorer = try restorer()
    try record(restorer)
    try move(x: 300)
    try record(restorer)
    try check(restorer)
    #expect(try requests().count == 1)
  }
}
