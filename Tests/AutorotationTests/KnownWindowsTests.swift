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
    for id in UInt64(1)...16 { windows.note(window(id, ["program \(id)"])) }
    windows.note(window(17, []))
    windows.note(window(18, ["panel"], .auxiliary))
    #expect(windows.names.count == 16)
    #expect(windows.contain("program ?") && !windows.contain("panel"))
  }
}
