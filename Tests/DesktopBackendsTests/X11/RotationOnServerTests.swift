// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// On a real X server: eDP-1 1280x800, HDMI-1 1024x768 right of it, touchscreen, pen, touchpad, mouse.
@Suite("rotation on an X server", .enabled(if: Bench.isThere, Bench.comment), .serialized)
@MainActor
struct RotationOnServerTests {
  init() throws {
    try Bench.reset()
  }

  @Test func theFirstReportNamesBothOutputs() throws {
    let running = try RunningBackend()
    #expect(
      running.events == [
        .outputsChanged([
          Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800),
          Output(name: "HDMI-1", isBuiltIn: false, width: 1024, height: 768),
        ])
      ])
  }

  @Test(arguments: ["eDP-1", "HDMI-1"])
  func everyTurnIsShownAndStaysAdjacent(output: String) throws {
    let running = try RunningBackend()
    let before = try Bench.state()
    for transform in [.turned90, .turned180, .turned270, .turned90, .none] as [DisplayTransform] {
      let result = try running.turn(output, transform)
      #expect(throws: Never.self) { try result.get() }
      let state = try Bench.state()
      let turned = try #require(state.place(of: output))
      #expect(turned.randrRotation == transform.randrRotation)
      let panel = try #require(state.place(of: "eDP-1")).rectangle
      let monitor = try #require(state.place(of: "HDMI-1")).rectangle
      #expect(panel.touches(monitor) && !panel.overlaps(monitor))
      #expect(state.screen.width == panel.width + monitor.width)
      #expect(state.screen.height == max(panel.height, monitor.height))
      try running.wait("the report of the turn") {
        running.outputs.first { $0.name == output }?.transform == transform
      }
    }
    let after = try Bench.state()
    #expect(after.crtcs == before.crtcs)
    #expect(after.screen == before.screen)
  }
}
