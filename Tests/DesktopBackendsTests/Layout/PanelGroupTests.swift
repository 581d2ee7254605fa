// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// Panels of one device rotate as one body.
@Suite("panel group")
@MainActor
struct PanelGroupTests {
  /// A Zenbook Duo: one above the other.
  static let stacked = [("eDP-1", 0, 0), ("eDP-2", 0, 1800)].map { name, x, y in
    PlacedDisplay(
      name: name, rectangle: ScreenRectangle(x: x, y: y, width: 2880, height: 1800), rotation: .none)
  }
  static let names = ["eDP-1", "eDP-2"]

  private let visited = ArrangementHistory()

  private func rotated(_ displays: [PlacedDisplay], _ rotations: [String: DisplayTransform])
    -> [PlacedDisplay]
  {
    displays.map { display in
      let rotation = rotations[display.name] ?? display.rotation
      var new = display
      new.rotation = rotation
      if rotation.swapsSides != display.rotation.swapsSides {
        (new.rectangle.width, new.rectangle.height) = (display.rectangle.height, display.rectangle.width)
      }
      return new
    }
  }

  private func rotate(_ displays: [PlacedDisplay], _ rotations: [String: DisplayTransform]) -> [PlacedDisplay]
  {
    let after = rotated(displays, rotations)
    let places = visited.places(of: displays, becoming: after, together: rotations.keys.sorted())
    return zip(after, places).map { PlacedDisplay(name: $0.name, rectangle: $1, rotation: $0.rotation) }
  }

  private func both(_ rotation: DisplayTransform) -> [String: DisplayTransform] {
    Dictionary(uniqueKeysWithValues: Self.names.map { ($0, rotation) })
  }

  private func corners(_ displays: [PlacedDisplay]) -> [[Int]] {
    displays.map { [$0.rectangle.x, $0.rectangle.y] }
  }

  @Test(arguments: [
    (DisplayTransform.rotated90, [[1800, 0], [0, 0]]), (.rotated180, [[0, 1800], [0, 0]]),
    (.rotated270, [[0, 0], [1800, 0]]),
  ])
  func `the panel below moves to the side`(rotation: DisplayTransform, expected: [[Int]]) {
    let rotated = self.rotate(Self.stacked, both(rotation))
    #expect(corners(rotated) == expected)
    #expect(self.rotate(rotated, both(.none)) == Self.stacked)
  }

  @Test func `the arrangement depends only on the final rotation`() {
    var displays = Self.stacked
    for rotation in [DisplayTransform.rotated270, .rotated180, .rotated90, .rotated270, .rotated90] {
      displays = self.rotate(displays, both(rotation))
      let expected = PanelGroupTests().rotate(Self.stacked, both(rotation))
      #expect(corners(displays) == corners(expected), "\(rotation)")
    }
  }

  @Test func `a monitor keeps its side of the device`() {
    let monitor = PlacedDisplay(
      name: "HDMI-1", rectangle: ScreenRectangle(x: 2880, y: 0, width: 1920, height: 1080), rotation: .none)
    let rotated = rotate(Self.stacked + [monitor], both(.rotated90))
    #expect(corners(rotated) == [[1800, 0], [0, 0], [3600, 0]])
    let above = PlacedDisplay(
      name: "HDMI-1", rectangle: ScreenRectangle(x: 0, y: 0, width: 1920, height: 1080), rotation: .none)
    let below = Self.stacked.map {
      PlacedDisplay(
        name: $0.name, rectangle: $0.rectangle.moved(x: 0, y: $0.rectangle.y + 1080), rotation: .none)
    }
    let upsideDown = PanelGroupTests().rotate(below + [above], both(.rotated180))
    #expect(corners(upsideDown) == [[0, 2880], [0, 1080], [0, 0]])
  }

  @Test func `a panel that is lit again keeps its side`() {
    let left = rotate(Self.stacked, both(.rotated90))
    #expect(corners(left) == [[1800, 0], [0, 0]])
    // Lit again, unrotated, at its position before the first rotation.
    var back = [left[0], Self.stacked[1]]
    back[0].rectangle = back[0].rectangle.moved(x: 0, y: 0)
    back[1].rectangle = back[1].rectangle.moved(x: 0, y: 2880)
    #expect(corners(rotate(back, both(.rotated90))) == [[1800, 0], [0, 0]])
  }

  @Test func `separate panels rotate independently`() {
    let apart = [
      Self.stacked[0],
      PlacedDisplay(
        name: "eDP-2", rectangle: ScreenRectangle(x: 5000, y: 0, width: 2880, height: 1800), rotation: .none),
    ]
    let rotated = rotate(apart, both(.rotated90))
    #expect(!rotated[0].rectangle.overlaps(rotated[1].rectangle))
    #expect(rotated.map(\.rectangle.width) == [1800, 1800])
  }

  @Test func `mirrored panels stay mirrored`() {
    var mirror = Self.stacked
    mirror[1].rectangle = mirror[0].rectangle
    let rotated = rotate(mirror, both(.rotated90))
    #expect(rotated[0].rectangle == rotated[1].rectangle)
    #expect(rotated[0].rectangle.width == 1800)
  }
}
