// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

/// Whether the screen can be seen: the monitors are on and not blanked, and Xorg has its virtual terminal. Without the
/// terminal it cannot rotate either.
final class ScreenVisibility {
  private(set) var isVisible = true
  private(set) var hasTerminal = true
  /// Whether the visibility may have changed, and has to be read again.
  var isStale = true

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
    dpms != nil && (saver == nil || saverState.isOn && !saverState.isBlank)
  }

  func markStale(by event: X11Event) {
    // Without power events, any other event is a reason to read.
    if lacksPowerEvents || saver?.isChange(event) == true { isStale = true }
    guard event.number == XCB_PROPERTY_NOTIFY else { return }
    let change: xcb_property_notify_event_t = event.contents()
    if change.window == connection.root, change.atom == connection.atoms[.hasTerminal] { isStale = true }
  }

  func read() throws(Message) {
    let isLit = try dpms?.isLit() ?? true
    let saverState = try saver?.state() ?? ScreenSaver.State()
    let terminal = X11Property(rootOf: connection, .hasTerminal, type: XCB_ATOM_INTEGER)
    // Servers other than Xorg have no terminal, and no such property.
    let hasTerminal = terminal.numbers()?.first != 0
    try connection.checkAnswers()
    (self.saverState, self.hasTerminal, isStale) = (saverState, hasTerminal, false)
    isVisible = isLit && !saverState.isBlank && hasTerminal
    // The monitors come on again with the next input.
    input?.reportsAllInput = lacksPowerEvents && !isLit
  }
}

/// The DPMS extension: whether the monitors are on, in standby, suspended or off. Xorg 21.1 refuses to send its events.
struct DPMS {
  private static let info: UInt8 = 7
  /// The only power level at which monitors are lit.
  private static let on: UInt16 = 0

  private let extended: X11Extension

  /// `nil` if the server has no such extension.
  init?(_ connection: X11Connection) throws(Message) {
    guard let extended = try X11Extension("DPMS", connection) else { return nil }
    self.extended = extended
  }

  func isLit() throws(Message) -> Bool {
    try extended.query(Self.info) { $0.load(fromByteOffset: 8, as: UInt16.self) } == Self.on
  }
}

/// The MIT-SCREEN-SAVER extension: whether the server has blanked the screen. It blanks it also when it switches its
/// monitors off, after a timeout or on request (`xset dpms force off`); Xorg 21.1 sends no other event for that.
struct ScreenSaver {
  private static let queryInfo: UInt8 = 1
  private static let selectInput: UInt8 = 2
  private static let notifyMask: UInt32 = 1
  private static let on: UInt8 = 1
  private static let blanked: UInt8 = 0

  struct State: Equatable {
    /// Whether it is active, and shows an image or nothing.
    var isOn = false
    var isBlank = false
  }

  private let extended: X11Extension
  private let root: xcb_window_t

  /// `nil` if the server has no such extension.
  init?(_ connection: X11Connection) throws(Message) {
    guard let extended = try X11Extension("MIT-SCREEN-SAVER", connection) else { return nil }
    self.extended = extended
    root = connection.root
    extended.perform(Self.selectInput, [root, Self.notifyMask])
  }

  func isChange(_ event: X11Event) -> Bool { event.number == extended.firstEvent }

  func state() throws(Message) -> State {
    try extended.query(Self.queryInfo, [root]) {
      let isOn = $0.load(fromByteOffset: 1, as: UInt8.self) == Self.on
      return State(isOn: isOn, isBlank: isOn && $0.load(fromByteOffset: 24, as: UInt8.self) == Self.blanked)
    }
  }
}
