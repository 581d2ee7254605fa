// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct KnownWindowsTests {
  private func window(_ id: UInt64, _ names: [String], _ role: Window.Role = .application) -> Window {
    Window(id: id, role: role, identifiers: names, isFullscreen: false, output: nil, declared: nil)
  }

  /// Of the sixteen that are remembered none is given away for what could not be named in a lock.
  @Test func windowsWithoutANameAndPanelsTakeNobodysPlace() {
    var windows = KnownWindows()
    windows.note(window(1, ["mpv"]))
    for id in UInt64(2)..<40 {
      windows.note(window(id, []))
      windows.note(window(id + 100, ["panel \(id)"], .auxiliary))
    }
    #expect(windows.names == ["mpv"])
    #expect(windows.contain("mp?"))
  }
}
