// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// Whether the screen can be seen: the monitors are on and not blanked, and Xorg has its virtual terminal. Without the
/// terminal it cannot rotate either.
final class ScreenVisibility {
  private(set) var isVisible = true
  private(set) var hasTerminal = true
  /// Whether the visibility may have changed.
  private(set) var isStale = true

  private let connection: X11Connection
  private let input: XInput?
  private let dpms: DPMS?
  private let saver: ScreenSaver?
  private var saverState = ScreenSaver.State()

  init(_ connection: X11Connection, _ input: XInput?, _ dpms: DPMS?, _ saver: ScreenSaver?) {
    self.connection = connection
    self.input = input
    self.dpms = dpms
    self.saver = saver
  }

  /// Whether the server may switch its monitors off or on without an event. While its screen saver shows an image, it
  /// sends no event when the monitors go off.
  private var lacksPowerEvents: Bool {
    guard let dpms, !dpms.sendsEvents else { return false }
    return saver == nil || saverState.isOn && !saverState.isBlank
  }

  func markStale(by event: X11Event) {
    // Without power events, any other event is a reason to read.
    if lacksPowerEvents || dpms?.isChange(event) == true || saver?.isChange(event) == true { isStale = true }
    guard event.number == XCB_PROPERTY_NOTIFY else { return }
    let change: xcb_property_notify_event_t = event.contents()
    if change.window == connection.root, change.atom == connection.atoms[.hasTerminal] { isStale = true }
  }

  /// Makes the next `refresh` read the visibility again, such as after a failed rotation.
  func invalidate() {
    isStale = true
  }

  func read() throws(Message) {
    let terminal = X11Property(
      connection, connection.root, connection.atoms[.hasTerminal], type: XCB_ATOM_INTEGER.rawValue)
    var replies = ReplyCollector()
    let isLit = replies.collect(try dpms?.isLit() ?? true)
    let saverState = replies.collect(try saver?.state() ?? ScreenSaver.State())
    // Servers other than Xorg have no terminal, and no such property.
    let hasTerminal = terminal.numbers(connection)?.first != 0
    try replies.check()
    try connection.checkAnswers()
    self.hasTerminal = hasTerminal
    isStale = false
    self.saverState = saverState ?? ScreenSaver.State()
    isVisible = (isLit ?? true) && !self.saverState.isBlank && hasTerminal
    // The monitors come on again with the next input.
    input?.reportsAllInput = lacksPowerEvents && isLit == false
  }
}
