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

  func window(on output: String?, declaring words: [OrientationWord]?) -> Window? {
    top.map {
      Window(
        id: UInt64($0.id), role: role, identifiers: identifiers,
        isFullscreen: windows.contains(where: \.isFullscreen), output: output, declared: words)
    }
  }
}
