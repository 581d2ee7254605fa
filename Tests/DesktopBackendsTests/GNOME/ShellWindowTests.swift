// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// A window as the extension of GNOME Shell describes it: any program may own that name.
@MainActor
struct ShellWindowTests {
  private func window(
    _ changes: [String: Value?] = [:], panel: String? = nil
  ) -> Window? {
    var values: [String: Value] = [
      "window": .uint64(7), "identifiers": .strings(["mpv"]), "monitor": .int32(1),
    ]
    for (key, value) in changes { values[key] = value }
    return Window(values, monitors: [["DP-1"], ["eDP-1", "HDMI-1"]], panel: panel)
  }

  @Test func `a window has a number and names`() {
    #expect(window() == Window(id: 7, identifiers: ["mpv"], output: "eDP-1"))
    #expect(window(["window": nil]) == nil && window(["identifiers": nil]) == nil)
    #expect(window(["window": .string("7")]) == nil && window(["identifiers": .string("mpv")]) == nil)
  }

  @Test func `its properties are optional`() {
    #expect(window(["fullscreen": .bool(true)])?.isFullscreen == true)
    #expect(window(["fullscreen": .string("true")])?.isFullscreen == false)
    #expect(window(["auxiliary": .bool(true)])?.role == .auxiliary)
    #expect(window(["auxiliary": .bool(false)])?.role == .application)
  }

  @Test func `of mirrors the panel is its output`() {
    #expect(window(panel: "HDMI-1")?.output == "HDMI-1" && window(panel: "DP-1")?.output == "eDP-1")
    #expect(
      window(["monitor": .int32(0)])?.output == "DP-1" && window(["monitor": nil]).map(\.output) == .some(nil)
    )
    for number in [-1, 2] as [Int32] {
      #expect(window(["monitor": .int32(number)]).map(\.output) == .some(nil))
    }
  }

  @Test func `long names and many names are left out`() {
    let longest = String(repeating: "x", count: 256)
    let found = window(["identifiers": .strings([longest, longest + "x", "", "a"])])?.identifiers
    #expect(found?.count == 2 && found?.last == "a")
    let names = (1...17).map { "\($0)" }
    #expect(window(["identifiers": .strings(names)])?.identifiers == Array(names.prefix(16)))
  }
}
