// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// The focus in niri's events.
@Suite("niri's focus")
@MainActor
struct NiriFocusTests {
  private func focus(_ events: String...) throws -> NiriFocus {
    var focus = NiriFocus()
    for event in events { focus.update(try #require(JSONValue(event))) }
    return focus
  }

  private static let windows = """
    {"WindowsChanged": {"windows": [
      {"id": 1, "app_id": "one", "workspace_id": 1, "is_focused": false},
      {"id": 2, "app_id": "two", "workspace_id": 2, "is_focused": false}]}}
    """

  @Test func `the active window of the workspace is behind a menu`() throws {
    let workspaces = """
      {"WorkspacesChanged": {"workspaces": [
        {"id": 1, "output": "eDP-1", "is_focused": false, "active_window_id": 1},
        {"id": 2, "output": "eDP-1", "is_focused": true, "active_window_id": 2}]}}
      """
    #expect(try focus(Self.windows, workspaces).window(on: [])?.identifiers == ["two"])
  }

  @Test func `a window has its title only while titles are watched`() throws {
    let title = String(repeating: "x", count: 1_000_000)
    let change =
      #"{"WindowOpenedOrChanged": {"window": {"id": 2, "title": "\#(title)", "is_focused": true}}}"#
    let focus = try focus(Self.windows, change)
    #expect(focus.window(on: [])?.title == nil)
    #expect(focus.window(on: [], withTitle: true)?.title == String(title.prefix(256)))
  }

  private static let workspaces = """
    {"WorkspacesChanged": {"workspaces": [
      {"id": 1, "output": "eDP-1", "is_focused": true, "active_window_id": 1},
      {"id": 2, "output": "DP-1", "is_focused": false, "active_window_id": 2}]}}
    """
  private static let panel = CompositorOutput(
    name: "eDP-1", rectangle: ScreenRectangle(x: 0, y: 0, width: 1280, height: 800))

  private func identifiers(_ events: String...) throws -> String? {
    var focus = try focus(Self.windows, Self.workspaces)
    for event in events { focus.update(try #require(JSONValue(event))) }
    return focus.window(on: [])?.identifiers.first
  }

  @Test func `another workspace or window becomes active`() throws {
    #expect(try identifiers() == "one")
    #expect(try identifiers(#"{"WorkspaceActivated": {"id": 2, "focused": true}}"#) == "two")
    #expect(try identifiers(#"{"WorkspaceActivated": {"id": 2, "focused": false}}"#) == "one")
    let active = #"{"WorkspaceActiveWindowChanged": {"workspace_id": 1, "active_window_id": 2}}"#
    #expect(try identifiers(active) == "two")
    #expect(try identifiers(active.replacing("\"workspace_id\": 1", with: "\"workspace_id\": 2")) == "one")
  }

  @Test func `the focused window overrides the active one`() throws {
    let focused = #"{"WindowFocusChanged": {"id": 2}}"#
    #expect(try identifiers(focused) == "two")
    #expect(try identifiers(focused, #"{"WindowFocusChanged": {"id": null}}"#) == "one")
    #expect(try identifiers(focused, #"{"WindowClosed": {"id": 2}}"#) == "one")
    #expect(try identifiers(focused, #"{"WindowClosed": {"id": 1}}"#) == "two")
    let change = #"{"WindowOpenedOrChanged": {"window": {"id": 2, "app_id": "new", "is_focused": false}}}"#
    #expect(try identifiers(focused, change) == "one")
    #expect(try identifiers(focused, change.replacing("\"id\": 2", with: "\"id\": 3")) == "two")
    #expect(try identifiers(change.replacing("false", with: "true")) == "new")
  }

  @Test(arguments: [("[1280, 800]", true), ("[1280.0, 800.5]", false), ("[800, 1280]", false), ("[]", false)])
  func `a window as large as its output is fullscreen`(size: String, isFullscreen: Bool) throws {
    let change = #"{"WindowLayoutsChanged": {"changes": [[1, {"tile_size": \#(size)}]]}}"#
    let focus = try focus(Self.windows, Self.workspaces, change)
    #expect(focus.window(on: [Self.panel])?.isFullscreen == isFullscreen)
    #expect(focus.window(on: [Self.panel])?.output == "eDP-1")
    var off = Self.panel
    off.isActive = false
    #expect(focus.window(on: [off])?.isFullscreen == false)
    #expect(focus.window(on: [])?.isFullscreen == false)
  }

  @Test func `a new list of windows replaces the one before`() throws {
    let list = #"{"WindowsChanged": {"windows": [{"id": 3, "app_id": "three", "is_focused": true}]}}"#
    let focus = try focus(Self.windows, list)
    #expect(focus.applications == [["three"]])
    #expect(focus.window(on: [])?.identifiers == ["three"])
  }
}
