// SPDX-License-Identifier: MIT

import Autorotation

/// What a window is for: the words of _NET_WM_WINDOW_TYPE.
enum WindowKind: String, CaseIterable, Sendable {
  case normal = "NORMAL"
  case dialog = "DIALOG"
  case utility = "UTILITY"
  case toolbar = "TOOLBAR"
  case splash = "SPLASH"
  case desktop = "DESKTOP"
  case dock = "DOCK"
  case menu = "MENU"
  case dropdownMenu = "DROPDOWN_MENU"
  case popupMenu = "POPUP_MENU"
  case tooltip = "TOOLTIP"
  case notification = "NOTIFICATION"
  case combo = "COMBO"
  case dragAndDrop = "DND"

  /// A splash screen announces an application; which one has focus is decided by what follows it.
  var role: Window.Role {
    switch self {
    case .normal, .dialog, .utility, .toolbar: .application
    case .splash, .desktop, .dock, .menu, .dropdownMenu, .popupMenu, .tooltip, .notification, .combo,
      .dragAndDrop:
      .auxiliary
    }
  }

  /// Whether it is there for another window, named or not.
  var isCompanion: Bool {
    switch self {
    case .dialog, .utility, .toolbar: true
    default: false
    }
  }
}

/// What one window tells of itself.
struct FocusWindow: Equatable, Sendable {
  enum Owner: Equatable, Sendable {
    case none
    case window(UInt32)
    /// Whatever window of the group the person was in.
    case group(UInt32)
  }

  /// The window's XID.
  var id: UInt32
  /// The application's name for people first.
  var identifiers: [String]
  var kind: WindowKind
  var isFullscreen: Bool
  var owner: Owner
  /// The XID that all windows of the application name in WM_HINTS.
  var group: UInt32?
  /// Where on the screen it is; `nil` while it is not shown.
  var rectangle: ScreenRectangle?

  /// Whom a window belongs to, by its WM_TRANSIENT_FOR.
  /// - Parameters:
  ///   - named: WM_TRANSIENT_FOR; `nil` if it is not set.
  ///   - group: WM_HINTS' group; `nil` if it is not set.
  static func owner(
    of id: UInt32, named: UInt32?, kind: WindowKind, group: UInt32?, root: UInt32
  ) -> Owner {
    if let named, named != 0, named != root, named != id { return .window(named) }
    // For the root, or for none: by custom that means the whole group.
    guard named != nil || kind.isCompanion, let group, group != id else { return .none }
    return .group(group)
  }
}
