// SPDX-License-Identifier: MIT

import CXCB

/// The names that window managers and applications tell each other things by.
struct FocusAtoms {
  // Of the root window.
  let activeWindow: xcb_atom_t
  let supportingCheck: xcb_atom_t
  let supported: xcb_atom_t

  // Of applications' windows.
  let state: xcb_atom_t
  let fullscreen: xcb_atom_t
  let hidden: xcb_atom_t
  let type: xcb_atom_t
  let applicationID: xcb_atom_t
  let desktopFile: xcb_atom_t
  let utf8: xcb_atom_t
  let kinds: [xcb_atom_t: WindowKind]

  /// Of a window: a change of any of these may change what it means.
  let meaningful: Set<xcb_atom_t>

  init(_ connection: X11Connection) throws(X11Error) {
    let kindNames = WindowKind.allCases.map { "_NET_WM_WINDOW_TYPE_\($0.rawValue)" }
    var names = try X11Atoms.Interning(Self.names + kindNames, connection.handle, connection.replies)
    activeWindow = try names.next()
    supportingCheck = try names.next()
    supported = try names.next()
    state = try names.next()
    fullscreen = try names.next()
    hidden = try names.next()
    type = try names.next()
    applicationID = try names.next()
    desktopFile = try names.next()
    utf8 = try names.next()
    var kinds: [xcb_atom_t: WindowKind] = [:]
    for kind in WindowKind.allCases { kinds[try names.next()] = kind }
    self.kinds = kinds
    let ownerAndNames = [XCB_ATOM_WM_CLASS, XCB_ATOM_WM_TRANSIENT_FOR, XCB_ATOM_WM_HINTS].map(\.rawValue)
    meaningful = Set(ownerAndNames + [state, type, applicationID, desktopFile])
  }

  /// In the order in which the initialiser reads them. GTK and KDE know their applications' ids, which are
  /// those of the desktop files.
  private static let names = [
    "_NET_ACTIVE_WINDOW", "_NET_SUPPORTING_WM_CHECK", "_NET_SUPPORTED", "_NET_WM_STATE",
    "_NET_WM_STATE_FULLSCREEN", "_NET_WM_STATE_HIDDEN", "_NET_WM_WINDOW_TYPE", "_GTK_APPLICATION_ID",
    "_KDE_NET_WM_DESKTOP_FILE", "UTF8_STRING",
  ]
}
