// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The focused window, tracked by niri's event stream.
struct NiriFocus {
  private struct NiriWindow {
    var identifiers: [String]
    var title: String?
    var workspace: Int?
    var process: Int32?
    /// Width and height with borders, which a fullscreen window does not have; empty before niri 25.08.
    var size: [Double]

    init(_ value: JSONValue) {
      identifiers = [value["app_id"]?.string].compactMap { $0 }.filter { !$0.isEmpty }
      title = value["title"]?.string?.printable(limit: Window.maximumTitleLength)
      workspace = value["workspace_id"]?.int
      process = value["pid"]?.int.flatMap(Int32.init(exactly:))
      size = Self.size(value["layout"])
    }

    static func size(_ layout: JSONValue?) -> [Double] {
      layout?["tile_size"]?.elements.compactMap(\.double) ?? []
    }
  }

  private struct Workspace {
    var output: String?
    /// The active one; it may lack the keyboard focus.
    var window: Int?
  }

  private var windows: [Int: NiriWindow] = [:]
  private var workspaces: [Int: Workspace] = [:]
  private var focusedWindow: Int?
  private var focusedWorkspace: Int?

  /// - Parameter event: such as `{"WindowFocusChanged": {"id": 3}}`. Unknown events are ignored.
  mutating func update(_ event: JSONValue) {
    for (name, value) in event.members {
      switch name {
      case "WorkspacesChanged": update(workspaces: value["workspaces"]?.elements ?? [])
      case "WorkspaceActivated": if value["focused"]?.bool == true { focusedWorkspace = value["id"]?.int }
      case "WorkspaceActiveWindowChanged":
        if let id = value["workspace_id"]?.int { workspaces[id]?.window = value["active_window_id"]?.int }
      case "WindowFocusChanged": focusedWindow = value["id"]?.int
      default: updateWindows(name, value)
      }
    }
  }

  private mutating func updateWindows(_ name: String, _ value: JSONValue) {
    switch name {
    case "WindowsChanged":
      windows = [:]
      focusedWindow = nil
      for window in value["windows"]?.elements ?? [] { update(window: window) }
    case "WindowOpenedOrChanged": value["window"].map { update(window: $0) }
    case "WindowClosed":
      guard let id = value["id"]?.int else { return }
      windows[id] = nil
      if focusedWindow == id { focusedWindow = nil }
    case "WindowLayoutsChanged":
      for change in value["changes"]?.elements ?? [] where change.elements.count == 2 {
        if let id = change.elements[0].int { windows[id]?.size = NiriWindow.size(change.elements[1]) }
      }
    default: break
    }
  }

  private mutating func update(window: JSONValue) {
    guard let id = window["id"]?.int else { return }
    windows[id] = NiriWindow(window)
    if window["is_focused"]?.bool == true {
      focusedWindow = id
    } else if focusedWindow == id {
      focusedWindow = nil
    }
  }

  private mutating func update(workspaces new: [JSONValue]) {
    workspaces = [:]
    for workspace in new {
      guard let id = workspace["id"]?.int else { continue }
      workspaces[id] = Workspace(
        output: workspace["output"]?.string, window: workspace["active_window_id"]?.int)
      if workspace["is_focused"]?.bool == true { focusedWorkspace = id }
    }
  }

  /// The identifiers of each window's application.
  var applications: [[String]] { windows.sorted { $0.key < $1.key }.map(\.value.identifiers) }

  /// - Parameter outputs: to detect a fullscreen window by its size, since niri does not report it. A window that
  ///   fills the output without borders, bars and gaps is reported as fullscreen, too.
  func window(on outputs: [CompositorOutput], withTitle: Bool = false) -> Window? {
    // While a menu or a launcher has the keyboard, no window has the focus; then the workspace's active one is used.
    guard let id = focusedWindow ?? focusedWorkspace.flatMap({ workspaces[$0]?.window }),
      let window = windows[id]
    else { return nil }
    let name = window.workspace.flatMap { workspaces[$0]?.output }
    let area = outputs.first { $0.name == name && $0.isActive }?.rectangle
    return Window(
      id: UInt64(bitPattern: Int64(id)), identifiers: window.identifiers,
      title: withTitle ? window.title : nil,
      isFullscreen: area.map { window.size == [Double($0.width), Double($0.height)] } ?? false, output: name,
      process: window.process)
  }
}
