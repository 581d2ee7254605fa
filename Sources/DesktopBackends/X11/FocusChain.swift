// SPDX-License-Identifier: MIT

import Autorotation

/// The active window and its owners, up to the window of the application.
struct FocusChain: Equatable, Sendable {
  /// More than real dialogs nest; an application may set endless owners.
  static let longest = 8

  /// The active one first.
  private(set) var windows: [FocusWindow]

  init(_ active: FocusWindow) {
    windows = [active]
  }

  /// The next owner to read; `nil` at the end of the chain.
  var next: UInt32? {
    guard windows.count < Self.longest, let owner = windows.last?.owner else { return nil }
    return windows.contains { $0.id == owner } ? nil : owner
  }

  mutating func append(_ owner: FocusWindow) {
    windows.append(owner)
  }

  /// The window that represents the application.
  var top: FocusWindow? { windows.last }

  /// The last visible window, which defines the application's position: an owner may be hidden.
  var shown: FocusWindow? { windows.last { $0.rectangle != nil } }

  mutating func moveShown(to rectangle: ScreenRectangle?) {
    guard let index = windows.lastIndex(where: { $0.rectangle != nil }) else { return }
    windows[index].rectangle = rectangle
  }

  var role: Window.Role {
    windows.contains { $0.kind.role == .auxiliary } ? .auxiliary : .application
  }

  /// The owner of its group's dialogs from now on; `nil` if it has no group, or is auxiliary.
  var groupOwner: FocusWindow? { role == .application && top?.group != nil ? top : nil }

  /// The owner's names; its dialog's names only if it has none.
  var identifiers: [String] { windows.last { !$0.identifiers.isEmpty }?.identifiers ?? [] }

  func window(on output: String?) -> Window? {
    top.map {
      Window(
        id: UInt64($0.id), role: role, identifiers: identifiers, title: $0.title,
        isFullscreen: windows.contains(where: \.isFullscreen), output: output,
        process: windows.last { $0.process != nil }?.process)
    }
  }
}

/// The values of _NET_WM_WINDOW_TYPE.
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

  /// A splash screen is auxiliary: the application's window follows it.
  var role: Window.Role { self == .normal || isCompanion ? .application : .auxiliary }

  /// Whether it belongs to another window, even without WM_TRANSIENT_FOR.
  var isCompanion: Bool { [Self.dialog, .utility, .toolbar].contains(self) }
}

/// The properties of one window.
struct FocusWindow: Equatable, Sendable {
  /// The window's XID.
  var id: UInt32
  /// The most familiar name first.
  var identifiers: [String]
  var kind: WindowKind
  var isFullscreen: Bool
  /// The owner's XID, if it has one.
  var owner: UInt32?
  /// The group leader's XID in WM_HINTS, the same for all windows of the application.
  var group: UInt32?
  /// Its position on the screen; `nil` while it is not shown.
  var rectangle: ScreenRectangle?
  /// By _NET_WM_PID; `nil` if it is not set.
  var process: Int32?
  /// `nil` if it is not set, or while no titles are read.
  var title: String?

  /// The owner of a window, by its WM_TRANSIENT_FOR.
  /// - Parameters:
  ///   - named: WM_TRANSIENT_FOR; `nil` if it is not set.
  ///   - group: WM_HINTS' group; `nil` if it is not set.
  ///   - last: the application window that had focus last.
  static func owner(
    of id: UInt32, named: UInt32?, kind: WindowKind, group: UInt32?, root: UInt32, last: FocusWindow?
  ) -> UInt32? {
    if let named, named != 0, named != root, named != id { return named }
    // Transient for the root or for none: by convention, for the whole group.
    guard named != nil || kind.isCompanion, group != id, group == last?.group else { return nil }
    return last?.id
  }

  /// All names of an application, each once.
  /// - Parameters:
  ///   - classes: WM_CLASS: the instance name and the class name, each terminated by a zero.
  ///   - others: the application's id or desktop file, where a toolkit sets it.
  static func identifiers(classes: String?, others: [String?]) -> [String] {
    let parts = (classes ?? "").split(separator: "\0", omittingEmptySubsequences: false).prefix(2)
    // The class is the familiar name: “firefox”, where the instance may be “Navigator”.
    let names = parts.reversed().map(String.init) + others.compactMap { $0 }
    return names.filter { !$0.isEmpty }.eachOnce
  }
}
