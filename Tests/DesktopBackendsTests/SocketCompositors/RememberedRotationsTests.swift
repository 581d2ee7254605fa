// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// The rotations that are restored after a compositor has reloaded its configuration.
@MainActor struct RememberedRotationsTests {
  private static let second: Int64 = 1_000_000_000
  private static let rotated = [PanelRotation("eDP-1", to: .rotated90)]

  private func output(_ name: String, _ transform: DisplayTransform = .none, isActive: Bool = true) -> Output
  {
    Output(
      name: name, isBuiltIn: name == "eDP-1", isActive: isActive, width: 1280, height: 800,
      transform: transform)
  }

  private func remembered(settleTime: Int64 = second) -> RememberedRotations {
    var remembered = RememberedRotations(settleTime: settleTime)
    remembered.remember(.rotated90, of: "eDP-1")
    return remembered
  }

  @Test func `a reload's reset is restored`() {
    var remembered = remembered()
    remembered.configurationWasRead(now: 0)
    #expect(remembered.lost(in: [output("eDP-1", .rotated90)], now: 1).isEmpty)
    #expect(remembered.lost(in: [output("eDP-1", isActive: false)], now: 2).isEmpty)
    #expect(remembered.lost(in: [output("eDP-1")], now: Self.second - 1) == Self.rotated)
  }

  @Test func `a later rotation by the user stays`() {
    var remembered = remembered()
    remembered.configurationWasRead(now: 0)
    #expect(remembered.lost(in: [output("eDP-1")], now: Self.second).isEmpty)
    remembered.configurationWasRead(now: 2 * Self.second)
    #expect(remembered.lost(in: [output("eDP-1")], now: 2 * Self.second + 1).isEmpty)
    let inverted = output("eDP-1", .rotated180)
    let wanted = [PanelRotation("eDP-1", to: .none)]
    #expect(remembered.lost(in: [inverted], now: 2 * Self.second + 2) == wanted)
  }

  @Test func `nothing is restored before a reload`() {
    var remembered = remembered()
    #expect(remembered.lost(in: [output("eDP-1")], now: 0).isEmpty)
  }

  @Test func `a compositor may take longer for a reload`() {
    var remembered = remembered(settleTime: 3 * Self.second)
    remembered.configurationWasRead(now: 10)
    #expect(remembered.lost(in: [output("eDP-1")], now: 9 + 3 * Self.second) == Self.rotated)
    #expect(remembered.lost(in: [output("eDP-1")], now: 10 + 3 * Self.second).isEmpty)
  }

  @Test func `an output that keeps resetting is left alone`() {
    var remembered = remembered()
    remembered.configurationWasRead(now: 0)
    let attempts = (1...4).map { remembered.lost(in: [output("eDP-1")], now: $0) }
    #expect(attempts == [Self.rotated, Self.rotated, Self.rotated, []])
    remembered.configurationWasRead(now: 5)
    #expect(remembered.lost(in: [output("eDP-1")], now: 6) == Self.rotated)
  }

  @Test func `an output without a rotation uses no attempt`() {
    var remembered = RememberedRotations(settleTime: Self.second)
    remembered.configurationWasRead(now: 0)
    for now in Int64(1)...3 { #expect(remembered.lost(in: [output("eDP-1")], now: now).isEmpty) }
    remembered.remember(.rotated90, of: "eDP-1")
    #expect(remembered.lost(in: [output("eDP-1")], now: 4) == Self.rotated)
  }

  @Test func `rotations of panels by other programs are restored`() {
    var remembered = RememberedRotations(settleTime: Self.second)
    let outputs = ["eDP-1", "DP-1", "DP-2"].map { output($0, .rotated270) }
    #expect(remembered.lost(in: outputs, panels: ["DP-1"], now: 0).isEmpty)
    remembered.configurationWasRead(now: 1)
    let lost = remembered.lost(in: outputs.map { output($0.name) }, panels: ["DP-1"], now: 2)
    #expect(lost == ["eDP-1", "DP-1"].map { PanelRotation($0, to: .rotated270) })
  }

  @Test func `a monitor rotated by the user is not restored`() {
    var remembered = RememberedRotations(settleTime: Self.second)
    remembered.remember(.rotated90, of: "DP-1")
    #expect(remembered.lost(in: [output("DP-1", .rotated180)], now: 0).isEmpty)
    remembered.configurationWasRead(now: 1)
    #expect(remembered.lost(in: [output("DP-1")], now: 2).isEmpty)
  }
}
