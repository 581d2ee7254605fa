// SPDX-License-Identifier: MIT

import DesktopBackends
import Temporary
import Testing

@MainActor
struct GraphicsDriverTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("DRIVER=i915\nPCI_CLASS=30000\n", to: "card1-eDP-1/device/device/uevent")
    try directory.write("PCI_CLASS=30000\n", to: "card1-DP-1/device/device/uevent")
  }

  @Test func itIsThatOfTheCard() {
    #expect(GraphicsDriver.name(of: "eDP-1", in: directory.path) == "i915")
  }

  @Test func whatIsNotToldIsNotKnown() {
    for name in ["DP-1", "HDMI-1", "../eDP-1", ""] {
      #expect(GraphicsDriver.name(of: name, in: directory.path) == nil)
    }
  }
}
