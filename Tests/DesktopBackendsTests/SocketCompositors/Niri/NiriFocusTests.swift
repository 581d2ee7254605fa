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

  @Test func `a new list of windows replaces the one before`() throws {
    let list = #"{"WindowsChanged": {"windows": [{"id": 3, "app_id": "three", "is_focused": true}]}}"#
    let focus = try focus(Self.windows, list)
    #expect(focus.applications == [["three"]])
    #expect(focus.window(on: [])?.identifiers == ["three"])
  }
}
