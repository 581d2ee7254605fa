// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

/// The names that the X server knows by number.
struct X11Atoms {
  // Output properties, and their values.
  let connectorType: xcb_atom_t
  let panel: xcb_atom_t
  let panelOrientation: xcb_atom_t
  let upsideDown: xcb_atom_t
  let leftSideUp: xcb_atom_t
  let rightSideUp: xcb_atom_t

  // Device properties.
  let float: xcb_atom_t
  let coordinateTransformationMatrix: xcb_atom_t
  let calibration: xcb_atom_t
  let wacomRotation: xcb_atom_t
  let deviceEnabled: xcb_atom_t
  let deviceNode: xcb_atom_t
  let xtestDevice: xcb_atom_t
  /// On what we disabled.
  let disabledMark: xcb_atom_t

  /// Of the root window: whether Xorg has its virtual terminal.
  let hasTerminal: xcb_atom_t

  /// The types of device that lie on a panel. libinput and evdev say the first two, Xorg's wacom
  /// driver the others; an absolute mouse of a virtual machine says MOUSE.
  let panelDeviceTypes: Set<xcb_atom_t>
  /// These, and the other parts of a graphics tablet.
  let drawingDeviceTypes: Set<xcb_atom_t>

  init(_ handle: OpaquePointer, _ replies: X11Replies) throws(Message) {
    var names = try Interning(Self.names + Self.deviceTypeNames + Self.tabletPartNames, handle, replies)
    connectorType = try names.next()
    panel = try names.next()
    panelOrientation = try names.next()
    upsideDown = try names.next()
    leftSideUp = try names.next()
    rightSideUp = try names.next()
    float = try names.next()
    coordinateTransformationMatrix = try names.next()
    calibration = try names.next()
    wacomRotation = try names.next()
    deviceEnabled = try names.next()
    deviceNode = try names.next()
    xtestDevice = try names.next()
    disabledMark = try names.next()
    hasTerminal = try names.next()
    var types: Set<xcb_atom_t> = []
    for _ in Self.deviceTypeNames { types.insert(try names.next()) }
    panelDeviceTypes = types
    for _ in Self.tabletPartNames { types.insert(try names.next()) }
    drawingDeviceTypes = types
  }

  /// In the order in which the initialiser reads them.
  private static let names = [
    "ConnectorType", "Panel", "panel orientation", "Upside Down", "Left Side Up", "Right Side Up",
    "FLOAT", "Coordinate Transformation Matrix", "Autorotate Calibration", "Wacom Rotation",
    "Device Enabled", "Device Node", "XTEST Device", "Autorotate Disabled", "XFree86_has_VT",
  ]
  private static let deviceTypeNames = ["TOUCHSCREEN", "TABLET", "TOUCH", "STYLUS", "ERASER"]
  private static let tabletPartNames = ["PAD", "CURSOR"]

  /// Asks for many atoms at once.
  struct Interning {
    private var atoms: ArraySlice<xcb_atom_t> = []

    init(_ names: [String], _ handle: OpaquePointer, _ replies: X11Replies) throws(Message) {
      let cookies = names.map { xcb_intern_atom(handle, 0, UInt16($0.utf8.count), $0) }
      var all = AllReplies()
      for cookie in cookies {
        if let atom = all.take(try Self.atom(cookie, replies)) { atoms.append(atom) }
      }
      try all.check()
    }

    /// The atom of the next name.
    mutating func next() throws(Message) -> xcb_atom_t {
      guard let atom = atoms.popFirst() else { throw .xServerHasEnded }
      return atom
    }

    private static func atom(
      _ cookie: xcb_intern_atom_cookie_t, _ replies: X11Replies
    ) throws(Message) -> xcb_atom_t {
      guard let reply = try replies.take(cookie.sequence) else { throw .xServerHasEnded }
      defer { free(reply) }
      return reply.assumingMemoryBound(to: xcb_intern_atom_reply_t.self).pointee.atom
    }
  }
}
