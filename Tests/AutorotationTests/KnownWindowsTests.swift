// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct KnownWindowsTests {
  private func window(_ id: UInt64, _ names: [String], _ role: Window.Role = .application) -> Window {
    Window(id: id, role: role, identifiers: names, isFullscreen: false, output: nil, declared: nil)
  }

  /// None of the sixteen remembered applications is forgotten for one that cannot be named in a lock.
  @Test func `nameless windows and docks are not remembered`() {
    var windows = KnownWindows()
    for id in UInt64(1)...16 { windows.add(window(id, ["program \(id)"])) }
    windows.add(window(17, []))
    windows.add(window(18, ["panel"], .auxiliary))
    #expect(windows.names.count == 16)
    #expect(windows.contain("program ?") && !windows.contain("panel"))
  }

  @Test func `a title is taken from the same window alone`() {
    let shown = window(1, ["mpv"])
    #expect(shown.retitled(like: Window(id: 1, identifiers: ["mpv"], title: "Film"), by: []).title == "Film")
    #expect(shown.retitled(like: Window(id: 2, identifiers: ["mpv"], title: "Film"), by: []) == shown)
  }

  @Test func `each application is listed once, in order`() {
    var windows = KnownWindows()
    windows.listed = [["b", "B"], [], ["a"], ["b", "B"], ["b", "Other"]]
    #expect(windows.all == [["b", "B"], ["a"], ["b", "Other"]])
    #expect(windows.names == ["b", "a"])
  }
}
