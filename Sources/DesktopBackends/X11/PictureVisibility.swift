// SPDX-License-Identifier: MIT

import CXCB

/// Whether anybody can see the picture: the monitors are lit, and Xorg has its virtual terminal, without which
/// it cannot turn anything either.
final class PictureVisibility {
  private(set) var isVisible = true
  /// Whether that may have changed.
  private(set) var isStale = true

  private let connection: X11Connection
  private let input: XInput?
  private let dpms: DPMS?

  init(_ connection: X11Connection, _ input: XInput?, _ dpms: DPMS?) {
    self.connection = connection
    self.input = input
    self.dpms = dpms
  }

  func absorb(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    // A server that does not tell when its monitors go dark is asked at whatever else it tells.
    if let dpms, !dpms.tells || dpms.isChange(event) { isStale = true }
    guard Int32(event.pointee.response_type & 0x7f) == XCB_PROPERTY_NOTIFY else { return }
    event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
      if $0.pointee.window == connection.root, $0.pointee.atom == connection.atoms.hasTerminal {
        isStale = true
      }
    }
  }

  /// To be called before what only the visible can do, and after it has failed.
  func doubt() {
    isStale = true
  }

  func read() throws(X11Error) {
    let terminal = X11Property(
      connection, connection.root, connection.atoms.hasTerminal, type: XCB_ATOM_INTEGER)
    var replies = AllReplies()
    let isLit = replies.take(try dpms?.isLit() ?? true)
    // Servers other than Xorg have no terminal to lose, and no such property.
    let hasTerminal = terminal.numbers(connection)?.first != 0
    try replies.check()
    try connection.checkAnswers()
    isStale = false
    isVisible = (isLit ?? true) && hasTerminal
    // Whatever lights the monitors again is somebody's hand.
    if let dpms, !dpms.tells { input?.tellsAnyInput = isLit == false }
  }
}
