// SPDX-License-Identifier: MIT

import Autorotation

/// The active window, and those that it belongs to, up to the one that it speaks for.
struct FocusChain: Equatable, Sendable {
  /// No desktop has dialogs of dialogs deeper than this; a malicious one may.
  static let longest = 8

  /// A window that a person was in, and its group.
  struct Member: Equatable, Sendable {
    var group: UInt32
    var window: UInt32
  }

  /// The active one first.
  private(set) var windows: [FocusWindow] = []
  /// The application's window that had focus last: what the dialogs of its group belong to.
  private let last: Member?

  init(_ active: FocusWindow, last: Member? = nil) {
    windows = [active]
    self.last = last
  }

  /// The window to look at next; `nil` at the end of the chain.
  var next: UInt32? {
    guard windows.count < Self.longest, let owner = windows.last.flatMap(owner) else { return nil }
    return windows.contains { $0.id == owner } ? nil : owner
  }

  mutating func append(_ owner: FocusWindow) {
    windows.append(owner)
  }

  private func owner(of window: FocusWindow) -> UInt32? {
    switch window.owner {
    case .none: nil
    case .window(let id): id
    case .group(let group): last?.group == group ? last?.window : nil
    }
  }

  /// The one that decides.
  var top: FocusWindow? { windows.last }

  /// The XID of the window whose place is the application's: an owner may be hidden.
  var shown: FocusWindow? { windows.last { $0.rectangle != nil } }

  mutating func moveShown(to rectangle: ScreenRectangle?) {
    guard let index = windows.lastIndex(where: { $0.rectangle != nil }) else { return }
    windows[index].rectangle = rectangle
  }

  var role: Window.Role {
    windows.contains { $0.kind.role == .auxiliary } ? .auxiliary : .application
  }

  /// What dialogs of the same group belong to from now on.
  var member: Member? {
    guard role == .application, let top, let group = top.group else { return last }
    return Member(group: group, window: top.id)
  }

  /// The owner's names; those of its dialog only if it has none.
  var identifiers: [String] {
    windows.last { !$0.identifiers.isEmpty }?.identifiers ?? []
  }

  func window(on output: String?) -> Window? {
    top.map {
      Window(
        id: UInt64($0.id), role: role, identifiers: identifiers,
        isFullscreen: windows.contains(where: \.isFullscreen), output: output,
        process: windows.last { $0.process != nil }?.process)
    }
  }
}

/// What a window is for: the values of _NET_WM_WINDOW_TYPE.
enum WindowKind: String, CaseIterable, Sendable {
  case normal = "_NET_WM_WINDOW_TYPE_NORMAL"
  case dialog = "_NET_WM_WINDOW_TYPE_DIALOG"
  case utility = "_NET_WM_WINDOW_TYPE_UTILITY"
  case toolbar = "_NET_WM_WINDOW_TYPE_TOOLBAR"
  case splash = "_NET_WM_WINDOW_TYPE_SPLASH"
  case desktop = "_NET_WM_WINDOW_TYPE_DESKTOP"
  case dock = "_NET_WM_WINDOW_TYPE_DOCK"
  case menu = "_NET_WM_WINDOW_TYPE_MENU"
  case dropdownMenu = "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU"
  case popupMenu = "_NET_WM_WINDOW_TYPE_POPUP_MENU"
  case tooltip = "_NET_WM_WINDOW_TYPE_TOOLTIP"
  case notification = "_NET_WM_WINDOW_TYPE_NOTIFICATION"
  case combo = "_NET_WM_WINDOW_TYPE_COMBO"
  case dragAndDrop = "_NET_WM_WINDOW_TYPE_DND"

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
  /// As it says itself; `nil` if it does not.
  var process: Int32?

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
