// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// What KWin's words mean: focus reports, outputs and their places, its own rotation.
@MainActor struct KWinWordsTests {
  nonisolated static let uuid = "{29354c60-4bbb-4f67-8844-01cbd41de3aa}"

  func report(_ words: [String]) -> KWinFocusReport? { KWinFocusReport(words) }

  @Test func readsAWindowOfPlasma5() throws {
    let told = try #require(
      report([Self.uuid, "application", "mpv", "", "mpv", "true", "", "1280 0 800 1280"]))
    #expect(told.id == 0x2935_4c60_4bbb_4f67)
    #expect(told.role == .application)
    #expect(told.identifiers == ["mpv"])
    #expect(told.isFullscreen)
    let place = ScreenRectangle(x: 1280, y: 0, width: 800, height: 1280)
    #expect(told.place == .area(place))
    let displays = [
      KWinDisplay(name: "eDP-1", rectangle: ScreenRectangle(x: 0, y: 0, width: 1280, height: 800)),
      KWinDisplay(name: "HDMI-1", rectangle: place),
    ]
    #expect(told.output(among: displays) == "HDMI-1")
    #expect(told.output(among: [displays[0]]) == nil)
  }

  @Test func readsAWindowOfPlasma6() throws {
    let told = try #require(
      report([
        Self.uuid, "auxiliary", "plasmashell", "plasmashell", "org.kde.plasmashell", "false", "eDP-1", "",
      ])
    )
    #expect(told.role == .auxiliary)
    #expect(told.identifiers == ["plasmashell", "org.kde.plasmashell"])
    #expect(!told.isFullscreen)
    #expect(told.output(among: []) == "eDP-1")
  }

  @Test(arguments: [
    [], ["", "", "", "", "", "", "", ""], ["{29354c60}", "application", "a", "", "", "false", "", ""],
    ["x", "application"],
    [uuid, "application", "a", "", "", "false", "", "", ""],
  ])
  func takesNothingForNoWindow(_ words: [String]) {
    #expect(report(words) == nil)
  }

  @Test(arguments: ["", "1 2 3", "a b c d", "0 0 0 0", "0 0 -5 9", "9999999999999999999 0 1 1"])
  func takesNoAbsurdArea(_ area: String) throws {
    let told = try #require(report([Self.uuid, "application", "a", "", "", "false", "", area]))
    #expect(told.place == .unknown)
  }

  static func state(
    _ name: String, x: Int = 0, width: Int = 1280, height: Int = 800, transform: Int32 = 0, scale: Double = 1,
    capabilities: UInt32 = 0
  ) -> KWinOutputState {
    var state = KWinOutputState()
    state.name = name
    state.isEnabled = true
    state.x = x
    state.width = width
    state.height = height
    state.transform = transform
    state.scale = scale
    state.capabilities = capabilities
    return state
  }

  @Test func aMirroredPictureStaysMirrored() {
    #expect(Self.state("a", transform: 5).transform(turned: .turned270) == 7)
    #expect(Self.state("a", transform: 1).transform(turned: .none) == 0)
    #expect(Self.state("a", transform: 7).turn == .turned270)
  }

  @Test func placesAreLogicalPixels() {
    let states = [Self.state("eDP-1", width: 1920, height: 1080, scale: 1.5), Self.state("HDMI-1", x: 1280)]
    #expect(states[0].rectangle == ScreenRectangle(x: 0, y: 0, width: 1280, height: 720))
    let places = states.places(turning: [PanelTurn("eDP-1", to: .turned90)])
    #expect(places == [1: ScreenRectangle(x: 720, y: 0, width: 1280, height: 800)])
  }

  @Test func outputsThatAreOffHaveNoPlace() {
    var off = Self.state("HDMI-1", x: 1280)
    off.isEnabled = false
    #expect([Self.state("eDP-1"), off].places(turning: [PanelTurn("eDP-1", to: .turned90)]).isEmpty)
    #expect(!off.output.isActive)
  }

  @Test func `a size that no display has is no picture`() {
    let side = Int(Int32.max)
    let states = ["eDP-1", "eDP-2"].map { Self.state($0, width: side, height: side, scale: 0.06) }
    #expect(states.allSatisfy { !$0.isLit })
    #expect(states.places(turning: states.map { PanelTurn($0.name, to: .turned90) }).isEmpty)
  }

  @Test func `more outputs than any desk has are not laid out`() {
    let states = (0...ScreenLayout.mostNeighbours).map { Self.state("DP-\($0)", x: $0 * 1280) }
    #expect(states.places(turning: [PanelTurn("DP-0", to: .turned90)]).isEmpty)
  }

  @Test func aBuiltInPanelIsKnownByCapabilityOrName() {
    #expect(Self.state("Unknown-1", capabilities: 0x20).isBuiltIn)
    #expect(Self.state("eDP-1").isBuiltIn)
    #expect(!Self.state("DP-1", capabilities: 0x1f).isBuiltIn)
    let states = [Self.state("DP-1"), Self.state("Unknown-1", x: 1280, capabilities: 0x20)]
    #expect(states.panel(chosen: nil)?.name == "Unknown-1")
    #expect(states.panel(chosen: "DP-1")?.name == "DP-1")
    #expect(states.panel(chosen: "none") == nil)
  }

  typealias Policy = KWinRotationPolicy

  @Test(
    arguments: [
      (Policy.never, nil, false, KWinRotationPlan.nothing),
      (.never, nil, true, .nothing),
      (.inTabletMode, nil, false, .standBack(.inTabletMode)),
      (.always, nil, false, .standBack(.always)),
      (.inTabletMode, nil, true, .switchOff(.inTabletMode)),
      // Switched off by us, now or by a run that was killed.
      (.never, .always, true, .nothing),
      (.never, .always, false, .putBack(.always)),
      // Somebody has switched it on again.
      (.inTabletMode, .always, false, .standBack(.inTabletMode)),
      (.inTabletMode, .always, true, .switchOff(.inTabletMode)),
    ] as [(Policy, Policy?, Bool, KWinRotationPlan)])
  func whatIsDoneAboutItsOwnRotation(
    _ found: Policy, _ kept: Policy?, _ takesOver: Bool, _ plan: KWinRotationPlan
  ) {
    #expect(KWinRotationPlan(found: found, kept: kept, takesOver: takesOver) == plan)
  }

  @Test func whoeverTurnsByItselfIsNamedWithTheWayToChangeIt() {
    #expect(Policy.never.message == nil)
    for policy in [Policy.inTabletMode, .always] {
      #expect(policy.message?.description.contains("KWin turns the picture by itself") == true)
      #expect(policy.message?.description.contains("take-over = true") == true)
    }
  }
}
