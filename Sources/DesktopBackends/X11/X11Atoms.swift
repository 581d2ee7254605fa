// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

/// The X server's atoms of all names that are used here, requested all at once.
struct X11Atoms {
  private var atoms: [String: xcb_atom_t] = [:]

  init(_ handle: OpaquePointer, _ replies: X11Replies) throws(Message) {
    let names = X11Name.allCases.map(\.rawValue) + WindowKind.allCases.map(\.rawValue)
    let cookies = names.map { ($0, xcb_intern_atom(handle, 0, UInt16($0.utf8.count), $0)) }
    var all = ReplyCollector()
    for (name, cookie) in cookies {
      atoms[name] = all.collect(
        try replies.receive(cookie.sequence) { reply in
          reply.assumingMemoryBound(to: xcb_intern_atom_reply_t.self).pointee.atom
        })
    }
    try all.check()
  }

  subscript(name: X11Name) -> xcb_atom_t { atoms[name.rawValue] ?? XCB_ATOM_NONE.rawValue }

  /// The kind of window that a value of _NET_WM_WINDOW_TYPE names.
  func windowKind(_ type: xcb_atom_t) -> WindowKind? {
    WindowKind.allCases.first { atoms[$0.rawValue] == type }
  }

  /// Whether devices of a type lie on a panel. libinput and evdev set the first two types, Xorg's wacom driver the
  /// others. An absolute mouse of a virtual machine has the type MOUSE.
  func isOnPanel(_ type: xcb_atom_t) -> Bool {
    [.touchscreen, .tablet, .touch, .stylus, .eraser].contains { self[$0] == type }
  }

  /// These types, and those of the other parts of a graphics tablet.
  func isTouchOrTablet(_ type: xcb_atom_t) -> Bool {
    isOnPanel(type) || [.pad, .cursor].contains { self[$0] == type }
  }
}

/// Names of properties of outputs, devices, windows and the root window, and of their values.
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

  // Properties of the root window in the Extended Window Manager Hints.
  case activeWindow = "_NET_ACTIVE_WINDOW"
  case supportingCheck = "_NET_SUPPORTING_WM_CHECK"
  case supported = "_NET_SUPPORTED"
  case clients = "_NET_CLIENT_LIST"
  /// A request to the window manager.
  case moveResize = "_NET_MOVERESIZE_WINDOW"

  // Properties of applications' windows. GTK and KDE set application ids, which are those of the desktop files.
  case windowState = "_NET_WM_STATE"
  case fullscreen = "_NET_WM_STATE_FULLSCREEN"
  case hidden = "_NET_WM_STATE_HIDDEN"
  case windowType = "_NET_WM_WINDOW_TYPE"
  case applicationID = "_GTK_APPLICATION_ID"
  case desktopFile = "_KDE_NET_WM_DESKTOP_FILE"
  case process = "_NET_WM_PID"
  case title = "_NET_WM_NAME"
  case utf8 = "UTF8_STRING"
}
