// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// An output as compositors describe it, and what is derived from that.
@MainActor
struct CompositorOutputTests {
  private func output(_ change: (inout CompositorOutput) -> Void = { _ in }) -> CompositorOutput {
    var output = CompositorOutput(
      name: "eDP-1", number: 3, width: 1280, height: 800,
      rectangle: ScreenRectangle(x: 10, y: 20, width: 1280, height: 800))
    change(&output)
    return output
  }

  @Test(arguments: 0...7)
  func `a transform is a rotation and a flip`(number: Int) {
    let output = output { $0.transform = number }
    #expect(output.rotation == DisplayTransform.allCases[number % 4] && output.isFlipped == (number >= 4))
    #expect(output.transform == number)
  }

  @Test(arguments: [-1, 8, 9, 13, .max, .min])
  func `another number is no transform`(number: Int) {
    let output = output {
      $0.transform = 5
      $0.transform = number
    }
    #expect(output.transform == 0)
  }

  @Test func `a mode without a width is unknown`() {
    #expect(output().size == PixelSize(width: 1280, height: 800))
    #expect(output { $0.width = 0 }.size == nil)
    #expect(output { $0.width = 1 }.size == PixelSize(width: 1, height: 800))
    let unknown = output { $0.size = nil }
    #expect(unknown.width == 0 && unknown.height == 0)
    let other = output { $0.size = PixelSize(width: 640, height: 480) }
    #expect(other.width == 640 && other.height == 480)
  }

  @Test func `a layout has a size if both sides are known`() {
    #expect(output().hasSize)
    #expect(!output { $0.rectangle.width = 0 }.hasSize && !output { $0.rectangle.height = 0 }.hasSize)
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `only an active output without power is off`(isActive: Bool, hasPower: Bool) {
    let output = output {
      $0.isActive = isActive
      $0.hasPower = hasPower
    }
    #expect(output.isOff == (isActive && !hasPower))
    #expect(output.output.isActive == (isActive && hasPower))
  }

  @Test func `outputs are compared by parts`() {
    let output = output()
    #expect(
      !output.isSame(as: self.output { $0.number = 4 }) && !output.isSame(as: self.output { $0.name = "" }))
    let flipped = self.output { $0.isFlipped = true }
    let rotated = self.output { $0.rotation = .rotated90 }
    #expect(output.isSame(as: flipped) && output.isPlaced(like: rotated))
    #expect(!output.isRotated(like: flipped) && !output.isRotated(like: rotated))
    let moved = [self.output { $0.rectangle.x = 0 }, self.output { $0.rectangle.y = 0 }]
    for other in moved { #expect(!output.isPlaced(like: other) && output.isRotated(like: other)) }
    #expect(output.isPlaced(like: self.output { $0.rectangle.width = 0 }))
  }

  @Test func `rotations are shown by active outputs only`() {
    let rotation = [PanelRotation("eDP-1", to: .rotated90)]
    let rotated = output { $0.rotation = .rotated90 }
    #expect([rotated].show(rotation) && ![output()].show(rotation) && ![CompositorOutput]().show(rotation))
    #expect(![output { ($0.rotation, $0.isActive) = (.rotated90, false) }].show(rotation))
    #expect(![rotated].show(rotation + [PanelRotation("eDP-2", to: .none)]))
  }
}

/// The places of the outputs after a change, from each of the corners that may stay.
@MainActor
struct LayoutAnchorTests {
  private static func output(_ name: String, x: Int, y: Int) -> CompositorOutput {
    CompositorOutput(
      name: name, width: 1280, height: 800, rectangle: ScreenRectangle(x: x, y: y, width: 1280, height: 800))
  }

  private static let outputs = [output("HDMI-1", x: 100, y: 50), output("eDP-1", x: 1380, y: 50)]

  private func change(
    _ anchor: LayoutChange.Anchor, _ name: String = "eDP-1", of outputs: [CompositorOutput] = outputs,
    absent: [CompositorOutput] = []
  ) throws(Message) -> LayoutChange {
    try LayoutChange(
      [PanelRotation(name, to: .rotated90)], among: outputs, absent: absent, visited: ArrangementHistory(),
      keepingCornerOf: anchor
    ) { .switchedOff($0, next: "switch it on") }
  }

  private func places(_ change: LayoutChange) -> [[Int]] {
    change.after.map { [$0.rectangle.x, $0.rectangle.y] }
  }

  @Test func `each anchor keeps its corner`() throws {
    #expect(try places(change(.rotatedOutputs)) == [[100, 50], [1380, 50]])
    #expect(try places(change(.layout)) == [[100, 50], [1380, 50]])
    #expect(try places(change(.origin)) == [[0, 0], [1280, 0]])
    let above = [Self.output("HDMI-1", x: 1000, y: 0), Self.output("eDP-1", x: 300, y: 800)]
    #expect(try places(change(.rotatedOutputs, of: above)).last == [300, 800])
    #expect(try places(change(.layout, of: above)).map { $0[0] }.min() == 300)
  }

  @Test func `a mirror has a place only while it is rotated`() throws {
    var outputs = Self.outputs
    outputs[0].isMirror = true
    #expect(try change(.origin, of: outputs).after.map(\.name) == ["eDP-1"])
    #expect(try change(.origin, "HDMI-1", of: outputs).after.map(\.name) == ["HDMI-1", "eDP-1"])
  }

  @Test func `an absent output is laid out unless it is back`() throws {
    let absent = [Self.output("DP-1", x: 2660, y: 50), Self.output("HDMI-1", x: 0, y: 0)]
    let change = try change(.rotatedOutputs, absent: absent)
    #expect(change.after.map(\.name) == ["HDMI-1", "eDP-1", "DP-1"])
    #expect(places(change).last == [2180, 50])
  }

  @Test func `an unknown output is refused with the names of the others`() {
    let outputs = Self.outputs + [Self.output("", x: 5000, y: 0)]
    #expect(throws: Message.noSuchOutput("DP-9", among: ["HDMI-1", "eDP-1"])) {
      try change(.origin, "DP-9", of: outputs)
    }
  }

  @Test func `neighbours move only if their place changes`() throws {
    #expect(try !change(.rotatedOutputs).movesNeighbours)
    let swapped = [Self.output("eDP-1", x: 0, y: 0), Self.output("HDMI-1", x: 1280, y: 0)]
    #expect(try change(.rotatedOutputs, of: swapped).movesNeighbours)
    #expect(try !change(.rotatedOutputs, of: [swapped[0]]).movesNeighbours)
  }
}
