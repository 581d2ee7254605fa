// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// Which of KWin's input devices may be switched off.
@MainActor @Suite struct KWinInputTests {
  private func input(_ kinds: String..., isEnabled: Bool = true, name: String = "A Keyboard")
    -> SwitchableInput?
  {
    var properties: [String: Value] = ["name": .string(name), "vendor": .uint32(1), "product": .uint32(2)]
    properties["enabled"] = .bool(isEnabled)
    for kind in kinds { properties[kind] = .bool(true) }
    return SwitchableInput(kwin: properties, kernel: nil)
  }

  @Test func thoseThatTypeOrPoint() {
    #expect(input("keyboard", "supportsDisableEvents")?.identifier == "1:2:A Keyboard")
    #expect(input("touchpad", "supportsDisableEvents")?.state == "true")
    #expect(input("pointer", "supportsDisableEvents", isEnabled: false)?.state == "false")
  }

  @Test func noneThatStaysOnOrIsDrawnOnOrCannotBeSaid() {
    #expect(input("keyboard") == nil)
    #expect(input("supportsDisableEvents") == nil)
    for kind in ["touch", "tabletTool", "tabletPad"] {
      #expect(input("pointer", kind, "supportsDisableEvents") == nil)
    }
    #expect(input("keyboard", "supportsDisableEvents", name: "a \" b") == nil)
    #expect(SwitchableInput(kwin: [:], kernel: nil) == nil)
  }

  @Test(arguments: ["", "event", "event4/..", "../event4", "event-1", "mouse4", "event4x"])
  func `a name that leads elsewhere is no device`(name: String) {
    #expect(KWinInput.isPlace("event4") && !KWinInput.isPlace(name))
  }
}
