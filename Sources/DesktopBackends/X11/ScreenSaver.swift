// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

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
    guard try extended.perform(Self.selectInput, [root, Self.notifyMask]) else { return nil }
  }

  func isChange(_ event: X11Event) -> Bool {
    event.number == extended.firstEvent
  }

  func state() throws(Message) -> State {
    try extended.query(Self.queryInfo, [root]) {
      let isOn = $0.load(fromByteOffset: 1, as: UInt8.self) == Self.on
      return State(isOn: isOn, isBlank: isOn && $0.load(fromByteOffset: 24, as: UInt8.self) == Self.blanked)
    }
  }
}
