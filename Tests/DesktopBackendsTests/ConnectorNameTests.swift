// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// The kinds of connectors by their names, and the choice of the panel by them.
struct ConnectorNameTests {
  @Test(arguments: ["eDP-1", "eDP", "LVDS-1", "LVDS1", "DSI-1", "DPI-1"])
  func `names of panels`(_ name: String) {
    #expect(Output.isNamedLikePanel(name))
    #expect(!Output.isNamedLikeMonitor(name))
  }

  @Test(arguments: [
    "HDMI-1", "HDMI-A-1", "HDMI1", "DP-1", "DisplayPort-0", "DVI-D-0", "DVI-I-1", "VGA-1", "VGA1", "USB-1",
    "TV-1",
  ])
  func `names of monitors`(_ name: String) {
    #expect(Output.isNamedLikeMonitor(name))
    #expect(!Output.isNamedLikePanel(name))
  }

  @Test(arguments: ["Virtual-1", "HEADLESS-1", "WL-1", "X11-1", "default", "screen", "Unknown-1", ""])
  func `names of neither`(_ name: String) {
    #expect(!Output.isNamedLikePanel(name) && !Output.isNamedLikeMonitor(name))
  }

  private static func output(_ name: String, isActive: Bool = true) -> Output {
    Output(
      name: name, isBuiltIn: Output.isNamedLikePanel(name), isExternal: Output.isNamedLikeMonitor(name),
      isActive: isActive, width: 1920, height: 1080)
  }

  @Test func `a monitor is the panel only if it is chosen`() {
    let monitor = [Self.output("HDMI-A-1")]
    #expect(monitor.panelName(chosen: nil) == nil)
    #expect([Self.output("HDMI-A-1", isActive: false)].panelName(chosen: nil) == nil)
    #expect(monitor.panelName(chosen: "HDMI-A-1") == "HDMI-A-1")
    #expect((monitor + [Self.output("eDP-1", isActive: false)]).panelName(chosen: nil) == "eDP-1")
    #expect((monitor + [Self.output("Virtual-1")]).panelName(chosen: nil) == nil)
    #expect([Self.output("Virtual-1")].panelName(chosen: nil) == "Virtual-1")
    #expect([Self.output("HEADLESS-1"), Self.output("HEADLESS-2")].panelName(chosen: nil) == nil)
  }
}
