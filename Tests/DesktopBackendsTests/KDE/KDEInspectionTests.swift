// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// What doctor shows of KWin, without a session bus.
@MainActor
struct KDEInspectionTests {
  private func inspect(_ kwin: Fake, takesOver: Bool = false) throws -> DisplayInspection {
    try KDEBackend.inspect(
      settings: DisplaySettings(takesOver: takesOver), display: kwin.path,
      bus: .at(address: "unix:path=/nonexistent"))
  }

  @Test func `outputs are shown without a bus`() throws {
    let kwin = try Fake.kwin()
    let found = try inspect(kwin)
    #expect(
      "\(found.system)" == "KWin on wayland-fake"
        && found.outputs.panelName(chosen: OutputChoice()) == "eDP-1")
    #expect(found.outputs.map(\.name) == ["eDP-1", "HDMI-A-1"])
    #expect(found.focus.code == .focusUnknown && found.focus.description.contains("no session bus"))
    #expect(found.touch.map(\.code) == [.touchFollows])
    #expect(kwin.log.isEmpty)
  }

  @Test func `the policy of the panel is shown`() throws {
    let kwin = try Fake.kwin()
    #expect(try inspect(kwin).ownRotation?.description == "KWin's own rotation is switched off")
    kwin.run("kwin set eDP-1 policy 2")
    #expect(try inspect(kwin).ownRotation == KWinRotationPolicy.always.message)
    let message = try inspect(kwin, takesOver: true).ownRotation
    #expect(message?.description == "KWin rotates the screen until autorotate starts (take-over = true)")
  }

  @Test func `only internal displays have a policy`() throws {
    let kwin = try Fake("kwin offer 11 12", "kwin output eDP-1 1280 800 0 0", "kwin set eDP-1 policy 2")
    #expect(try inspect(kwin).ownRotation == nil)
    #expect(try inspect(Fake.kwin(.plasma5)).ownRotation == nil)
  }
}
