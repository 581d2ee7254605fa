// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

/// Whether a window manager is there that tells the active window.
///
/// A dead one leaves its properties on the root window. So what counts is a window that it keeps for as
/// long as it lives, and that names itself.
final class WindowManagerWatch {
  /// Restarting one takes less; in nanoseconds.
  static let patience: Int64 = 3_000_000_000

  /// The window that stands for the manager, alive or not; 0 if none is named.
  private(set) var check: xcb_window_t = 0
  private(set) var isThere = false

  private let connection: X11Connection
  private let atoms: FocusAtoms
  private var absence: EventTimer?

  /// - Parameter note: told that there is none, once for each time that this lasts.
  init(
    _ connection: X11Connection, _ atoms: FocusAtoms, loop: EventLoop, note: @escaping (Message) -> Void
  ) throws {
    self.connection = connection
    self.atoms = atoms
    absence = try loop.timer {
      note(
        Message(
          .focusUnknown,
          "No window manager that tells the active window (by EWMH's _NET_ACTIVE_WINDOW) is running: "
            + "rules for applications do not apply"))
    }
    absence?.arm(at: EventLoop.now + Self.patience)
  }

  isolated deinit {
    absence?.cancel()
  }

  /// Looks again.
  func read() throws(Message) {
    let claim = WindowManagerClaim(connection, atoms)
    try connection.checkAnswers()
    listen(to: claim.check)
    let isTrue = claim.isTrue(connection, atoms)
    try connection.checkAnswers()
    settle(isTrue)
  }

  /// Each time anew: after a restart a window of the same number may be another.
  private func listen(to window: xcb_window_t) {
    if check != 0, check != window { connection.select(0, of: check) }
    check = window
    guard window != 0 else { return }
    let events = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
    connection.select(events, of: window)
  }

  private func settle(_ isThere: Bool) {
    guard isThere != self.isThere else { return }
    self.isThere = isThere
    absence?.arm(at: isThere ? nil : EventLoop.now + Self.patience)
  }
}

/// What the root window says of a window manager.
struct WindowManagerClaim {
  /// The window that stands for the manager, alive or not; 0 if none is named.
  let check: xcb_window_t
  private let tellsActive: Bool

  init(_ connection: X11Connection, _ atoms: FocusAtoms) {
    let request = X11Property(connection, connection.root, atoms[.supportingCheck], type: XCB_ATOM_WINDOW)
    let supported = X11Property(
      connection, connection.root, atoms[.supported], type: XCB_ATOM_ATOM, words: 1024)
    check = request.numbers(connection)?.first ?? 0
    tellsActive = supported.numbers(connection)?.contains(atoms[.activeWindow]) ?? false
  }

  /// Whether it is there, and tells the active window.
  func isTrue(_ connection: X11Connection, _ atoms: FocusAtoms) -> Bool {
    guard tellsActive, check != 0 else { return false }
    let request = X11Property(connection, check, atoms[.supportingCheck], type: XCB_ATOM_WINDOW)
    return request.numbers(connection)?.first == check
  }
}
