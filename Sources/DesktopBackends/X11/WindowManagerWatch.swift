// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Whether a window manager is running that reports the active window.
///
/// A window manager that has died leaves its properties on the root window. So the check uses EWMH's check window: it
/// exists as long as its window manager runs, and has a property with its own XID.
final class WindowManagerWatch {
  /// Longer than a restart of a window manager; in nanoseconds.
  static let timeout: Int64 = 3_000_000_000

  /// The window manager's check window, which may no longer exist; 0 if none is named.
  private(set) var check: xcb_window_t = 0
  private(set) var isRunning = false

  private let connection: X11Connection
  private var absence: EventTimer?

  /// - Parameter note: receives a message once for each time without a window manager.
  init(_ connection: X11Connection, loop: EventLoop, note: @escaping (Message) -> Void) throws {
    self.connection = connection
    absence = try loop.timer { note(.noWindowManager) }
    absence?.arm(at: EventLoop.now + Self.timeout)
  }

  /// Reads the root window's properties again.
  func read() throws(Message) {
    let properties = WindowManagerProperties(connection)
    try connection.checkAnswers()
    selectEvents(of: properties.check)
    let isValid = properties.isValid(connection)
    try connection.checkAnswers()
    guard isValid != isRunning else { return }
    isRunning = isValid
    absence?.arm(at: isRunning ? nil : EventLoop.now + Self.timeout)
  }

  /// Repeated each time: after a restart, another window may have the same XID.
  private func selectEvents(of window: xcb_window_t) {
    if check != 0, check != window { connection.select(0, of: check) }
    check = window
    guard window != 0 else { return }
    let events = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    connection.select(events, of: window)
  }
}

/// The root window's properties of a window manager.
struct WindowManagerProperties {
  /// The window manager's check window, which may no longer exist; 0 if none is named.
  let check: xcb_window_t
  private let supportsActiveWindow: Bool

  init(_ connection: X11Connection) {
    let request = X11Property(rootOf: connection, .supportingCheck, type: XCB_ATOM_WINDOW)
    let supported = X11Property(rootOf: connection, .supported, type: XCB_ATOM_ATOM, words: 1024)
    let activeWindow = connection.atoms[.activeWindow]
    check = request.numbers()?.first ?? 0
    supportsActiveWindow = supported.numbers()?.contains(activeWindow) ?? false
  }

  /// Whether the window manager is running and reports the active window.
  func isValid(_ connection: X11Connection) -> Bool {
    guard supportsActiveWindow, check != 0 else { return false }
    let request = X11Property(
      connection, check, connection.atoms[.supportingCheck], type: XCB_ATOM_WINDOW.rawValue)
    return request.numbers()?.first == check
  }
}
