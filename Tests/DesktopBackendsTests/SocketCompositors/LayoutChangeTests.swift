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
      let turns = [PanelRotation(outputs[0].name, to: .rotated90)]
      _ = try LayoutChange(turns, among: outputs, visited: VisitedArrangements(), profile)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `an output that is off is not rotated`() {
    var panel = output("eDP-1")
    #expect(refusal([panel]) == nil)
    panel.hasPower = false
    #expect(refusal([panel]) == .outputDark)
    panel.hasPower = true
    panel.isActive = false
    #expect(refusal([panel]) == .outputDark)
  }

  @Test func `a name that would be two commands is not sent`() {
    #expect(refusal([output("eDP-1; exec true")]) == .outputFixed)
  }

  @Test func `more outputs than supported are refused`() {
    let outputs = (0..<65).map { output("DP-\($0)", x: $0 * 1920) }
    #expect(refusal(Array(outputs.dropLast())) == nil)
    #expect(refusal(outputs) == .displayNonsense)
  }
}
