// SPDX-License-Identifier: MIT

import Autorotation
import CXCB

extension X11Connection {
  /// Requests the position of a window.
  /// - Returns: a function that receives the reply: whether the window exists, and its position while it is shown.
  func requestPlace(of window: xcb_window_t) -> () -> (exists: Bool, rectangle: ScreenRectangle?) {
    let attributes = xcb_get_window_attributes(handle, window)
    let geometry = xcb_get_geometry(handle, window)
    let coordinates = xcb_translate_coordinates(handle, window, root, 0, 0)
    return { [self] in
      let isShown = try? reply(attributes, xcb_get_window_attributes_reply) {
        UInt32($0.pointee.map_state) == XCB_MAP_STATE_VIEWABLE.rawValue
      }
      let size = try? reply(geometry, xcb_get_geometry_reply, RandR.size)
      let corner = try? reply(coordinates, xcb_translate_coordinates_reply) {
        (x: Int($0.pointee.dst_x), y: Int($0.pointee.dst_y))
      }
      guard let isShown, let size, let corner else { return (false, nil) }
      let rectangle = ScreenRectangle(x: corner.x, y: corner.y, width: size.width, height: size.height)
      return (true, isShown ? rectangle : nil)
    }
  }
}

/// A pending request for all properties of one window.
struct FocusWindowRequest {
  private let id: xcb_window_t
  private let names: [X11Property]
  private let className: X11Property
  private let state: X11Property
  private let type: X11Property
  private let owner: X11Property
  private let hints: X11Property
  private let process: X11Property
  /// Set by newer and by older applications.
  private let titles: [X11Property]
  private let place: () -> (exists: Bool, rectangle: ScreenRectangle?)

  init(_ connection: X11Connection, _ id: xcb_window_t, withTitle: Bool = false) {
    let atoms = connection.atoms
    self.id = id
    className = X11Property(
      connection, id, XCB_ATOM_WM_CLASS.rawValue, type: XCB_ATOM_STRING.rawValue, words: 64)
    names = [atoms[.applicationID], atoms[.desktopFile]].map {
      X11Property(connection, id, $0, type: atoms[.utf8], words: 64)
    }
    state = X11Property(connection, id, atoms[.windowState], type: XCB_ATOM_ATOM.rawValue, words: 32)
    type = X11Property(connection, id, atoms[.windowType], type: XCB_ATOM_ATOM.rawValue, words: 16)
    owner = X11Property(connection, id, XCB_ATOM_WM_TRANSIENT_FOR.rawValue, type: XCB_ATOM_WINDOW.rawValue)
    hints = X11Property(
      connection, id, XCB_ATOM_WM_HINTS.rawValue, type: XCB_ATOM_WM_HINTS.rawValue, words: WindowHints.length)
    process = X11Property(connection, id, atoms[.process], type: XCB_ATOM_CARDINAL.rawValue)
    let oldTitle = (XCB_ATOM_WM_NAME.rawValue, XCB_ATOM_STRING.rawValue)
    let title = withTitle ? [(atoms[.title], atoms[.utf8]), oldTitle] : []
    titles = title.map { X11Property(connection, id, $0, type: $1, words: UInt32(Window.maximumTitleLength)) }
    place = connection.requestPlace(of: id)
  }

  /// - Parameter last: the application window that had focus last, which owns the dialogs of its group.
  /// - Returns: `nil` if the window no longer exists.
  func collect(_ connection: X11Connection, last: FocusWindow? = nil) -> FocusWindow? {
    let atoms = connection.atoms
    // Every reply is received, or xcb would keep it for ever.
    let classes = className.text()
    let names = names.map { $0.text() }
    let states = state.numbers() ?? []
    let types = type.numbers() ?? []
    let owner = owner.numbers()?.first
    let process = process.numbers()?.first
    let group = WindowHints.group(hints.numbers() ?? [])
    let titles = titles.map { $0.text() }
    let (exists, rectangle) = place()
    guard exists else { return nil }
    let kind = types.lazy.compactMap(atoms.windowKind).first ?? (owner == nil ? .normal : .dialog)
    return FocusWindow(
      id: id, identifiers: FocusWindow.identifiers(classes: classes, others: names), kind: kind,
      isFullscreen: states.contains(atoms[.fullscreen]),
      owner: FocusWindow.owner(
        of: id, named: owner, kind: kind, group: group, root: connection.root, last: last),
      group: group, rectangle: states.contains(atoms[.hidden]) ? nil : rectangle,
      process: process.flatMap(Int32.init(exactly:)), title: titles.lazy.compactMap(\.self).first)
  }
}

/// The group in ICCCM's WM_HINTS.
enum WindowHints {
  /// In units of four bytes.
  static let length: UInt32 = 9
  private static let groupIsSet: UInt32 = 1 << 6

  static func group(_ hints: [UInt32]) -> UInt32? {
    guard hints.count >= length, hints[0] & groupIsSet != 0, hints[8] != 0 else { return nil }
    return hints[8]
  }
}
