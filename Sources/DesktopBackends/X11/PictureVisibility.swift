// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// Whether anybody can see the picture: the monitors are lit and not blanked, and Xorg has its virtual terminal, without
/// which it cannot turn anything either.
final class PictureVisibility {
  private(set) var isVisible = true
  private(set) var hasTerminal = true
  /// Whether that may have changed.
  private(set) var isStale = true

  private let connection: X11Connection
  private let input: XInput?
  private let dpms: DPMS?
  private let saver: ScreenSaver?
  private var saving = ScreenSaver.State()

  init(_ connection: X11Connection, _ input: XInput?, _ dpms: DPMS?, _ saver: ScreenSaver?) {
    self.connection = connection
    self.input = input
    self.dpms = dpms
    self.saver = saver
  }

  /// Whether the server may have its monitors sleep, or wake them, without a word. While a picture of its own is on the
  /// screen, it tells nothing of what follows.
  private var isSecretive: Bool {
    guard let dpms, !dpms.tells else { return false }
    return saver == nil || saving.isOn && !saving.isBlank
  }

  func absorb(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    // Such a server is asked at whatever else it tells.
    if isSecretive || dpms?.isChange(event) == true || saver?.isChange(event) == true { isStale = true }
    guard Int32(event.pointee.response_type & 0x7f) == XCB_PROPERTY_NOTIFY else { return }
    event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
      if $0.pointee.window == connection.root, $0.pointee.atom == connection.atoms[.hasTerminal] {
        isStale = true
      }
    }
  }

  /// To be called before what only the visible can do, and after it has failed.
  func doubt() {
    isStale = true
  }

  func read() throws(Message) {
    let terminal = X11Property(
      connection, connection.root, connection.atoms[.hasTerminal], type: XCB_ATOM_INTEGER)
    var replies = AllReplies()
    let isLit = replies.take(try dpms?.isLit() ?? true)
    let saving = replies.take(try saver?.state() ?? ScreenSaver.State())
    // Servers other than Xorg have no terminal to lose, and no such property.
    let hasTerminal = terminal.numbers(connection)?.first != 0
    try replies.check()
    try connection.checkAnswers()
    self.hasTerminal = hasTerminal
    isStale = false
    self.saving = saving ?? ScreenSaver.State()
    isVisible = (isLit ?? true) && !self.saving.isBlank && hasTerminal
    // Whatever lights the monitors again is somebody's hand.
    input?.tellsAnyInput = isSecretive && isLit == false
  }
}
