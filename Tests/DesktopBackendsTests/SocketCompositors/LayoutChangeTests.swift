// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("a change of a compositor's layout")
@MainActor
struct LayoutChangeTests {
  private func output(_ name: String, x: Int = 0) -> CompositorOutput {
    CompositorOutput(
      name: name, width: 1920, height: 1080,
      rectangle: ScreenRectangle(x: x, y: 0, width: 1920, height: 1080))
  }

  private func refusal(_ outputs: [CompositorOutput]) -> Message.Code? {
    var profile = SwayDialect.profile
    profile.isForbiddenInName = { $0 == ";" }
    do throws(Message) {
      let rotations = [PanelRotation(outputs[0].name, to: .rotated90)]
      _ = try LayoutChange(rotations, among: outputs, visited: ArrangementHistory(), profile)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `an output that is off is not rotated`() {
    var panel = output("eDP-1")
    #expect(refusal([panel]) == nil)
    panel.hasPower = false
    #expect(refusal([panel]) == .outputBlanked)
    panel.hasPower = true
    panel.isActive = false
    #expect(refusal([panel]) == .outputBlanked)
  }

  @Test func `a name that would be two commands is not sent`() {
    for name in ["eDP-1; exec true", "eDP-1;\u{301}", "\u{D4E};"] {
      #expect(refusal([output(name)]) == .outputFixed)
    }
  }

  @Test func `more outputs than supported are refused`() {
    let outputs = (0..<65).map { output("DP-\($0)", x: $0 * 1920) }
    #expect(refusal(Array(outputs.dropLast())) == nil)
    #expect(refusal(outputs) == .displayNonsense)
  }

  private func change(_ outputs: [CompositorOutput]) throws -> LayoutChange {
    try LayoutChange(
      [PanelRotation("eDP-1", to: .rotated90)], among: outputs, visited: ArrangementHistory(),
      SwayDialect.profile)
  }

  @Test func `an output that is gone or off cannot be wrong`() throws {
    let outputs = [output("eDP-1"), output("HDMI-A-1", x: 1920)]
    let change = try change(outputs)
    #expect(change.unmet(.after, in: outputs).map(\.name) == ["eDP-1", "HDMI-A-1"])
    #expect(change.unrotated(.after, in: outputs).map(\.name) == ["eDP-1"])
    var now = [change.after[0], outputs[1]]
    #expect(change.unmet(.after, in: now).map(\.name) == ["HDMI-A-1"])
    now[1].isActive = false
    #expect(change.unmet(.after, in: now).isEmpty)
    #expect(change.unmet(.after, in: [now[0]]).isEmpty)
    #expect(change.unmet(.before, in: outputs).isEmpty)
  }

  @Test func `only what the change has done is undone`() throws {
    let outputs = [output("eDP-1"), output("HDMI-A-1", x: 1920)]
    let change = try change(outputs)
    #expect(change.undone(in: change.after) == outputs)
    var now = change.after
    now[1].rectangle.x = 5000
    #expect(change.undone(in: now) == [outputs[0], now[1]])
  }

  @Test func `of two outputs of one name each has its own place`() throws {
    var outputs = [output("eDP-1"), output("", x: 1920), output("", x: 3840)]
    for index in outputs.indices { outputs[index].number = index }
    let change = try change(outputs)
    #expect(change.after.map(\.rectangle.x) == [0, 1080, 3000])
    #expect(change.unmet(.after, in: change.after).isEmpty)
  }
}
