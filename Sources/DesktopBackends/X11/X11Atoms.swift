// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc

/// The X server's atoms of several names, requested all at once.
struct Atoms<Name: RawRepresentable<String> & CaseIterable & Hashable> {
  private var atoms: [Name: xcb_atom_t] = [:]

  init(_ handle: OpaquePointer, _ replies: X11Replies) throws(Message) {
    self = try AtomsRequest(handle).collect(replies)
  }

  fileprivate init(_ atoms: [Name: xcb_atom_t]) {
    self.atoms = atoms
  }

  subscript(name: Name) -> xcb_atom_t { atoms[name] ?? XCB_ATOM_NONE.rawValue }
}

/// A pending request for these atoms.
struct AtomsRequest<Name: RawRepresentable<String> & CaseIterable & Hashable> {
  private let cookies: [(Name, xcb_intern_atom_cookie_t)]

  init(_ handle: OpaquePointer) {
    cookies = Name.allCases.map {
      ($0, xcb_intern_atom(handle, 0, UInt16($0.rawValue.utf8.count), $0.rawValue))
    }
  }

  func collect(_ replies: X11Replies) throws(Message) -> Atoms<Name> {
    var atoms: [Name: xcb_atom_t] = [:]
    var all = ReplyCollector()
    for (name, cookie) in cookies { atoms[name] = all.collect(try Self.atom(cookie, replies)) }
    try all.check()
    return Atoms(atoms)
  }

  private static func atom(
    _ cookie: xcb_intern_atom_cookie_t, _ replies: X11Replies
  ) throws(Message) -> xcb_atom_t {
    guard let reply = try replies.receive(cookie.sequence) else { throw .xServerHasEnded }
    defer { free(reply) }
    return reply.assumingMemoryBound(to: xcb_intern_atom_reply_t.self).pointee.atom
  }
}

/// Names of properties of outputs, devices and the root window, and of their values.
enum X11Name: String, CaseIterable {
  // Output properties, and their values.
  case connectorType = "ConnectorType"
  case panel = "Panel"
  case panelOrientation = "panel orientation"
  case upsideDown = "Upside Down"
  case leftSideUp = "Left Side Up"
  case rightSideUp = "Right Side Up"

  // Device properties.
  case float = "FLOAT"
  case coordinateTransformationMatrix = "Coordinate Transformation Matrix"
  case calibration = "Autorotate Calibration"
  case wacomRotation = "Wacom Rotation"
  case deviceEnabled = "Device Enabled"
  case deviceNode = "Device Node"
  case xtestDevice = "XTEST Device"
  /// On devices that autorotate disabled.
  case disabledMark = "Autorotate Disabled"

  /// Of the root window: the property of `SwitchedOffCRTCs`.
  case switchedOffCRTCs = "_AUTOROTATE_SWITCHED_OFF"
  /// Of the root window: whether Xorg has its virtual terminal.
  case hasTerminal = "XFree86_has_VT"

  // Types of devices.
  case touchscreen = "TOUCHSCREEN"
  case tablet = "TABLET"
  case touch = "TOUCH"
  case stylus = "STYLUS"
  case eraser = "ERASER"
  case pad = "PAD"
  case cursor = "CURSOR"
}

typealias X11Atoms = Atoms<X11Name>

extension X11Atoms {
  /// Whether devices of a type lie on a panel. libinput and evdev set the first two types, Xorg's wacom driver the others.
  /// An absolute mouse of a virtual machine has the type MOUSE.
  func isOnPanel(_ type: xcb_atom_t) -> Bool {
    [.touchscreen, .tablet, .touch, .stylus, .eraser].contains { self[$0] == type }
  }

  /// These types, and those of the other parts of a graphics tablet.
  func isTouchOrTablet(_ type: xcb_atom_t) -> Bool {
    isOnPanel(type) || [.pad, .cursor].contains { self[$0] == type }
  }
}
