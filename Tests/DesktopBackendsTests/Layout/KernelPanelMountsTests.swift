// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import DesktopBackends

/// The mounting of panels, which only the kernel knows.
@MainActor
struct KernelPanelMountsTests {
  private static func output(_ name: String, isBuiltIn: Bool = true, mount: PanelMount = .topUp) -> Output {
    var output = Output(name: name, isBuiltIn: isBuiltIn, width: 800, height: 1280)
    output.mount = mount
    return output
  }

  @Test func `the mount of a built-in panel is completed`() {
    var mounts = KernelPanelMounts { _ in .rightSideUp }
    let outputs = [
      Self.output("eDP-1"), Self.output("eDP-2", mount: .upsideDown), Self.output("DP-1", isBuiltIn: false),
    ]
    let completed = mounts.completing(outputs)
    #expect(completed.map(\.mount) == [.rightSideUp, .upsideDown, .topUp])
  }

  @Test func `the kernel is asked once for each connector`() {
    var asked: [String] = []
    var mounts = KernelPanelMounts {
      asked.append($0)
      return $0 == "eDP-1" ? .leftSideUp : .topUp
    }
    for _ in 0..<2 {
      let found = ["eDP-1", "DSI-1"].map { mounts.mount(of: $0) }
      #expect(found == [.leftSideUp, .topUp])
    }
    #expect(asked == ["eDP-1", "DSI-1"])
  }

  @Test func `a mount that could not be read is read again`() {
    var answers: [PanelMount?] = [.upsideDown, nil]
    var mounts = KernelPanelMounts { _ in answers.removeLast() }
    let found = (0..<3).map { _ in mounts.mount(of: "eDP-1") }
    #expect(found == [.topUp, .upsideDown, .upsideDown])
  }

  /// Without a display, `calibrate` took any panel as mounted top up.
  @Test func `the panel is known without a display system`() throws {
    let directory = try TemporaryDirectory()
    let states = ["card0-DSI-1": "disconnected", "card0-HDMI-A-1": "connected", "card1-eDP-1": "connected"]
    for (name, status) in states { try directory.write("\(status)\n", to: "\(name)/status") }
    let mounts: [String: PanelMount] = ["DSI-1": .upsideDown, "eDP-1": .rightSideUp]
    #expect(KernelPanelMounts.ofFirstPanel(in: directory.path) { mounts[$0] } == .rightSideUp)
    #expect(KernelPanelMounts.ofFirstPanel(in: directory["nowhere"]) { mounts[$0] } == nil)
  }

  @Test(arguments: ["eDP-1", "HDMI-A-1", "eDP", "eDP-x", "eDP-1-2", ""])
  func `a device that is no graphics card has no mount`(connector: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "card0")
    #expect(PanelMount(ofConnector: connector, in: directory.path) == nil)
    #expect(PanelMount(ofConnector: connector, in: directory["nowhere"]) == nil)
  }
}
