// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// Values of KWin: focus reports, outputs and their places, its own rotation.
@MainActor struct KWinValuesTests {
  nonisolated static let uuid = "{29354c60-4bbb-4f67-8844-01cbd41de3aa}"

  func report(_ words: [String]) -> KWinFocusReport? { KWinFocusReport(words) }

  @Test func `a window of plasma5 is read`() throws {
    let parsed = try #require(
      report([Self.uuid, "application", "mpv", "", "mpv", "true", "", "1280 0 800 1280", ""]))
    #expect(parsed.window.id == 0x2935_4c60_4bbb_4f67)
    #expect(parsed.window.role == .application)
    #expect(parsed.window.identifiers == ["mpv"])
    #expect(parsed.window.isFullscreen)
    let place = ScreenRectangle(x: 1280, y: 0, width: 800, height: 1280)
    #expect(parsed.window.output == nil && parsed.area == place)
    let displays = [
      CompositorOutput(name: "eDP-1", rectangle: ScreenRectangle(x: 0, y: 0, width: 1280, height: 800)),
      CompositorOutput(name: "HDMI-1", rectangle: place),
    ]
    #expect(parsed.output(among: displays) == "HDMI-1")
    #expect(parsed.output(among: [displays[0]]) == nil)
  }

  @Test func `a window of plasma6 is read`() throws {
    let parsed = try #require(
      report([
        Self.uuid, "auxiliary", "plasmashell", "plasmashell", "org.kde.plasmashell", "false", "eDP-1", "", "",
      ])
    )
    #expect(parsed.window.role == .auxiliary)
    #expect(parsed.window.identifiers == ["plasmashell", "org.kde.plasmashell"])
    #expect(!parsed.window.isFullscreen)
    #expect(parsed.output(among: []) == "eDP-1")
  }

  @Test(arguments: [
    [], ["", "", "", "", "", "", "", "", ""],
    ["{29354c60}", "application", "a", "", "", "false", "", "", ""],
    ["x", "application"],
    [uuid, "application", "a", "", "", "false", "", "", "", ""],
  ])
  func `invalid reports are no window`(_ words: [String]) {
    #expect(report(words) == nil)
  }

  @Test(arguments: ["", "1 2 3", "a b c d", "0 0 0 0", "0 0 -5 9", "9999999999999999999 0 1 1"])
  func `an invalid area is unknown`(_ area: String) throws {
    let parsed = try #require(report([Self.uuid, "application", "a", "", "", "false", "", area, ""]))
    #expect(parsed.window.output == nil && parsed.area == nil)
  }

  static func state(
    _ name: String, x: Int = 0, width: Int = 1280, height: Int = 800, transform: Int = 0, scale: Double = 1,
    capabilities: UInt32 = 0, isEnabled: Bool = true
  ) -> KWinOutputState {
    var state = KWinOutputState()
    state.laid.name = name
    state.laid.rectangle.x = x
    state.laid.transform = transform
    state.laid.scale = scale
    state.capabilities = capabilities
    state.finish(isEnabled: isEnabled, mode: PixelSize(width: width, height: height))
    return state
  }

  /// The outputs after a rotation of the first.
  private func rotated(_ states: [KWinOutputState], to new: DisplayTransform) throws -> [CompositorOutput] {
    try LayoutChange([PanelRotation(states[0].name, to: new)], among: states).after
  }

  @Test func `a flipped image stays flipped`() throws {
    #expect(try rotated([Self.state("a", transform: 5)], to: .rotated270).map(\.transform) == [7])
    #expect(try rotated([Self.state("a", transform: 1)], to: .none).map(\.transform) == [0])
    #expect(Self.state("a", transform: 7).laid.rotation == .rotated270)
  }

  @Test func `places are logical pixels`() throws {
    let states = [Self.state("eDP-1", width: 1920, height: 1080, scale: 1.5), Self.state("HDMI-1", x: 1280)]
    #expect(states[0].laid.rectangle == ScreenRectangle(x: 0, y: 0, width: 1280, height: 720))
    let places = try rotated(states, to: .rotated90).map(\.rectangle)
    #expect(places[1] == ScreenRectangle(x: 720, y: 0, width: 1280, height: 800))
  }

  @Test func `a rotated output has its sides swapped`() {
    let state = Self.state("eDP-1", width: 1920, height: 1081, transform: 3, scale: 1.5)
    #expect(state.laid.rectangle == ScreenRectangle(x: 0, y: 0, width: 721, height: 1280))
    #expect(state.output.width == 1920 && state.output.height == 1081)
  }

  @Test func `a scale is plausible within limits`() {
    #expect(KWinOutputState.isScale(0.051) && KWinOutputState.isScale(99.9))
    for scale in [0.05, 0, -1, 100, .nan, .infinity] { #expect(!KWinOutputState.isScale(scale), "\(scale)") }
  }

  @Test func `outputs that are off have no place`() throws {
    let off = Self.state("HDMI-1", x: 1280, isEnabled: false)
    #expect(try rotated([Self.state("eDP-1"), off], to: .rotated90).map(\.name) == ["eDP-1"])
    #expect(!off.output.isActive)
  }

  @Test func `an impossible size is not active`() {
    let side = Int(Int32.max)
    let states = ["eDP-1", "eDP-2"].map { Self.state($0, width: side, height: side, scale: 0.06) }
    #expect(!states.contains { $0.laid.isActive })
    #expect(throws: Message.self) { try rotated(states, to: .rotated90) }
  }

  @Test func `more outputs than supported are not laid out`() throws {
    let states = (0...ScreenLayout.maximumNeighbours).map { Self.state("DP-\($0)", x: $0 * 1280) }
    let outputs = try rotated(states, to: .rotated90)
    #expect(outputs.map(\.rectangle.x) == states.map(\.laid.rectangle.x) && outputs[0].rotation == .rotated90)
  }

  @Test func `a built in panel is known by capability or name`() {
    #expect(Self.state("Unknown-1", capabilities: 0x20).isBuiltIn)
    #expect(Self.state("eDP-1").isBuiltIn)
    #expect(!Self.state("DP-1", capabilities: 0x1f).isBuiltIn)
    let states = [Self.state("DP-1"), Self.state("Unknown-1", x: 1280, capabilities: 0x20)]
    #expect(states.panel(chosen: nil)?.name == "Unknown-1")
    #expect(states.panel(chosen: "DP-1")?.name == "DP-1")
    #expect(states.panel(chosen: "none") == nil)
  }

  @Test func `the message names KWin and the setting`() {
    #expect(KWinRotationPolicy.never.message == nil)
    for policy in [KWinRotationPolicy.inTabletMode, .always] {
      #expect(policy.message?.description.contains("KWin rotates the screen automatically") == true)
      #expect(policy.message?.description.contains("take-over = true") == true)
    }
  }
}
