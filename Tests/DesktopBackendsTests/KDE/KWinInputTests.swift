// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// The input devices of KWin that may be disabled.
@MainActor @Suite struct KWinInputTests {
  private func input(_ kinds: String..., isEnabled: Bool = true, name: String = "A Keyboard")
    -> SwitchableInput?
  {
    var properties: [String: Value] = ["name": .string(name), "vendor": .uint32(1), "product": .uint32(2)]
    properties["enabled"] = .bool(isEnabled)
    for kind in kinds { properties[kind] = .bool(true) }
    return SwitchableInput(kwin: properties, kernel: nil)
  }

  @Test func `keyboards and pointing devices may be disabled`() {
    #expect(input("keyboard", "supportsDisableEvents")?.identifier == "1:2:A Keyboard")
    #expect(input("touchpad", "supportsDisableEvents")?.state == "true")
    #expect(input("pointer", "supportsDisableEvents", isEnabled: false)?.state == "false")
  }

  @Test func `touch devices and unsafe names are left out`() {
    #expect(input("keyboard") == nil)
    #expect(input("supportsDisableEvents") == nil)
    for kind in ["touch", "tabletTool", "tabletPad"] {
      #expect(input("pointer", kind, "supportsDisableEvents") == nil)
    }
    #expect(input("keyboard", "supportsDisableEvents", name: "a \" b") == nil)
    #expect(SwitchableInput(kwin: [:], kernel: nil) == nil)
  }

  @Test func `touchscreens and pens have an output`() {
    let touch = KWinTouchDevice(
      "event4", ["name": .string("Touch"), "touch": .bool(true), "outputName": .string("eDP-2")])
    #expect(touch?.output == "eDP-2")
    #expect(touch?.command(mappingTo: "a;b").hasSuffix(" outputName s 'a;b'") == true)
    let pen = KWinTouchDevice(
      "event5", ["name": .string("Pen"), "tabletTool": .bool(true), "outputName": .string("")])
    #expect(pen != nil && pen?.output == nil)
    #expect(KWinTouchDevice("event6", ["name": .string("Keyboard"), "keyboard": .bool(true)]) == nil)
    #expect(KWinTouchDevice("event7", ["name": .uint32(1), "touch": .bool(true)]) == nil)
  }

  @Test(arguments: ["", "event", "event4/..", "../event4", "event-1", "mouse4", "event4x"])
  func `a name with a path is not an event node`(name: String) {
    #expect(KWinInput.isEventNode("event4") && !KWinInput.isEventNode(name))
  }
}
