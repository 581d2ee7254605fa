// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

/// The DPMS extension: whether the monitors are on, in standby, suspended or off.
struct DPMS {
  private static let getVersion: UInt8 = 0
  private static let info: UInt8 = 7
  private static let selectInput: UInt8 = 8
  private static let infoNotify: Int32 = 0
  private static let infoNotifyMask: UInt32 = 1
  /// The only power level at which monitors are lit.
  private static let on: UInt16 = 0

  /// Whether the server sends an event when the level changes: DPMS 1.2 does. Xorg 21.1 reports 1.2 and refuses.
  private(set) var sendsEvents = false
  private let extended: X11Extension

  /// `nil` if the server has no such extension.
  /// - Parameter newest: the version to request.
  init?(_ connection: X11Connection, newest: (major: UInt16, minor: UInt16) = (1, 2)) throws(Message) {
    guard let extended = try X11Extension("DPMS", connection) else { return nil }
    self.extended = extended
    let wanted = UInt32(newest.major) | UInt32(newest.minor) << 16
    let offered = try extended.query(Self.getVersion, [wanted]) {
      ($0.load(fromByteOffset: 8, as: UInt16.self), $0.load(fromByteOffset: 10, as: UInt16.self))
    }
    if newest >= (1, 2), offered >= (1, 2) {
      sendsEvents = try extended.perform(Self.selectInput, [Self.infoNotifyMask])
    }
  }

  func isChange(_ event: X11Event) -> Bool {
    event.number(in: extended.opcode) == Self.infoNotify
  }

  /// Whether the monitors are on.
  func isLit() throws(Message) -> Bool {
    try extended.query(Self.info) { $0.load(fromByteOffset: 8, as: UInt16.self) } == Self.on
  }
}
