// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

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

/// The DPMS extension: whether the monitors are lit, standing by, suspended or off.
struct DPMS {
  private static let getVersion: UInt8 = 0
  private static let info: UInt8 = 7
  private static let selectInput: UInt8 = 8
  private static let infoNotify: UInt16 = 0
  private static let infoNotifyMask: UInt32 = 1
  /// Of the power levels, the one that shows a picture.
  private static let on: UInt16 = 0

  /// Whether the server tells when that changes, as from 1.2 on.
  let tells: Bool
  private let connection: X11Connection
  private let opcode: UInt8

  /// `nil` if the server has no such extension.
  /// - Parameter newest: the version that is asked for.
  init?(_ connection: X11Connection, newest: (major: UInt16, minor: UInt16) = (1, 2)) throws(Message) {
    guard let opcode = try connection.opcode(ofExtension: "DPMS") else { return nil }
    self.connection = connection
    self.opcode = opcode
    var wanted = UInt32(newest.major) | UInt32(newest.minor) << 16
    let version = cxcb_dpms_request(connection.handle, opcode, Self.getVersion, &wanted, 1)
    guard let reply = try connection.replies.take(version) else { throw .xServerHasEnded }
    defer { free(reply) }
    let offered = (
      reply.load(fromByteOffset: 8, as: UInt16.self), reply.load(fromByteOffset: 10, as: UInt16.self)
    )
    tells = newest >= (1, 2) && offered >= (1, 2)
    if tells {
      var mask = Self.infoNotifyMask
      _ = cxcb_dpms_request(connection.handle, opcode, Self.selectInput, &mask, 0)
    }
  }

  func isChange(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> Bool {
    guard event.pointee.response_type & 0x7f == XCB_GE_GENERIC else { return false }
    return event.withMemoryRebound(to: xcb_ge_generic_event_t.self, capacity: 1) {
      $0.pointee.extension == opcode && $0.pointee.event_type == Self.infoNotify
    }
  }

  /// Whether the monitors show a picture.
  func isLit() throws(Message) -> Bool {
    let question = cxcb_dpms_request(connection.handle, opcode, Self.info, nil, 1)
    guard let reply = try connection.replies.take(question) else { throw .xServerHasEnded }
    defer { free(reply) }
    return reply.load(fromByteOffset: 8, as: UInt16.self) == Self.on
  }
}
