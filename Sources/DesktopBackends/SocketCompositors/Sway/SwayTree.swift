// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The focus in sway's tree of containers.
struct SwayTree {
  let root: JSONValue

  /// Follows the last focused child of each container, not the keyboard: while a menu, a launcher or the on-screen
  /// keyboard has that, the window behind is still the focused one.
  var focused: SwayView? {
    var node = root
    var output: String?
    var isFullscreen = false
    while let next = Self.focusedChild(of: node) {
      node = next
      let type = node["type"]?.string
      if type == "output" { output = node["name"]?.string }
      // It is always 1 for a workspace.
      if type != "workspace", type != "output", node["fullscreen_mode"]?.int ?? 0 > 0 { isFullscreen = true }
    }
    var view = SwayView(node)
    view?.output = output
    view?.isFullscreen = isFullscreen
    return view
  }

  private static func focusedChild(of node: JSONValue) -> JSONValue? {
    guard let id = node["focus"]?.elements.first?.int else { return nil }
    return children(of: node).first { $0["id"]?.int == id }
  }

  private static func children(of node: JSONValue) -> [JSONValue] {
    (node["nodes"]?.elements ?? []) + (node["floating_nodes"]?.elements ?? [])
  }

  /// All windows.
  var views: [SwayView] {
    var (found, waiting) = ([SwayView](), [root])
    while let node = waiting.popLast() {
      if let view = SwayView(node) { found.append(view) }
      waiting += Self.children(of: node)
    }
    return found
  }
}

/// A window of the tree.
struct SwayView: Equatable {
  var id: Int
  var process: Int
  /// The app_id; for an X11 window both parts of its WM_CLASS.
  var identifiers: [String]
  var title: String?
  var isFloating: Bool
  var isFullscreen: Bool
  var output: String?
  /// Its XWayland window number, and that of the window whose dialog it is.
  var window: Int?
  var owner: Int?

  /// `nil` for a node that is not a window.
  init?(_ node: JSONValue) {
    guard let id = node["id"]?.int, let process = node["pid"]?.int else { return nil }
    self.id = id
    self.process = process
    let properties = node["window_properties"]
    let names = [node["app_id"], properties?["class"], properties?["instance"]]
    identifiers = names.compactMap { $0?.string }.filter { !$0.isEmpty }
    title = node["name"]?.string
    isFloating = node["type"]?.string == "floating_con"
    isFullscreen = node["fullscreen_mode"]?.int ?? 0 > 0
    window = node["window"]?.int
    owner = properties?["transient_for"]?.int
  }
}

/// The window that rules apply to: the focused one, or its parent if it is a dialog.
struct SwayFocus {
  /// No desktop nests dialogs deeper than this; a malicious client may.
  private static let longest = 8

  /// The last focused window that was not a dialog.
  private var last: SwayView?
  private var shown: SwayView?
  /// Of the shown window, if nothing else has changed since the tree was read.
  private var newTitle: String?
  /// Whether a tree was requested and has not arrived.
  var isBeingRead = false

  mutating func window(in tree: SwayTree, withTitle: Bool = false) -> Window? {
    shown = nil
    guard let focused = tree.focused else { return nil }
    let owner = transientOwner(of: focused, in: tree) ?? waylandOwner(of: focused, in: tree)
    if owner == nil { last = focused }
    let top = owner ?? focused
    shown = top
    let identifiers = top.identifiers.isEmpty ? focused.identifiers : top.identifiers
    return Window(
      id: UInt64(bitPattern: Int64(top.id)), identifiers: identifiers, title: withTitle ? top.title : nil,
      isFullscreen: focused.isFullscreen || top.isFullscreen, output: focused.output,
      process: Int32(exactly: top.process))
  }

  /// What a new title changes. For the tree sway describes all windows, so the shown window's title, which may change
  /// without pause, is taken from the event, unless the window's name has changed, too.
  mutating func titleChanges(_ container: JSONValue?) -> CompositorChanges {
    guard let shown, let view = container.flatMap(SwayView.init), let title = view.title,
      view.id == shown.id, view.identifiers == shown.identifiers
    else { return mayShow(container) ? .focus : [] }
    // A tree that arrives after the event has the title.
    guard !isBeingRead else { return [] }
    newTitle = title.printable(limit: Window.maximumTitleLength)
    return .focus
  }

  /// - Parameter window: the window at the last reading.
  /// - Returns: the window with its new title; `nil` if the tree has to be read.
  mutating func retitled(_ window: Window?) -> Window? {
    guard let title = newTitle.take(), var window else { return nil }
    window.title = title
    return window
  }

  /// Whether a window from an event may be the reported one: others may change their titles without pause.
  func mayShow(_ container: JSONValue?) -> Bool {
    guard let id = container?["id"]?.int else { return true }
    return id == shown?.id || container?["focused"]?.bool == true
  }

  /// XWayland reports the parent of a dialog.
  private func transientOwner(of focused: SwayView, in tree: SwayTree) -> SwayView? {
    var found: SwayView?
    var next = focused.owner
    for _ in 0..<Self.longest {
      guard let window = next, window != focused.window,
        let owner = tree.views.first(where: { $0.window == window })
      else { break }
      (found, next) = (owner, owner.owner)
    }
    return found
  }

  /// sway reports no parent for Wayland dialogs. They float, and have the process and the name of the window before,
  /// which still decides, perhaps fullscreen behind them.
  private func waylandOwner(of focused: SwayView, in tree: SwayTree) -> SwayView? {
    guard focused.isFloating, let last, last.id != focused.id, last.process == focused.process,
      last.identifiers == focused.identifiers
    else { return nil }
    return tree.views.first { $0.id == last.id }
  }
}
