// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

/// Panels of one device turn like one body.
@Suite("panel body")
@MainActor
struct PanelBodyTests {
  /// A Zenbook Duo: one above the other.
  static let stacked = [("eDP-1", 0, 0), ("eDP-2", 0, 1800)].map { name, x, y in
    LaidDisplay(name: name, rectangle: ScreenRectangle(x: x, y: y, width: 2880, height: 1800), turn: .none)
  }
  static let names = ["eDP-1", "eDP-2"]

  private let visited = VisitedArrangements()

  private func turned(_ displays: [LaidDisplay], _ turns: [String: DisplayTransform]) -> [LaidDisplay] {
    displays.map { display in
      let turn = turns[display.name] ?? display.turn
      var new = display
      new.turn = turn
      if turn.swapsSides != display.turn.swapsSides {
        (new.rectangle.width, new.rectangle.height) = (display.rectangle.height, display.rectangle.width)
      }
      return new
    }
  }

  private func turn(_ displays: [LaidDisplay], _ turns: [String: DisplayTransform]) -> [LaidDisplay] {
    let after = turned(displays, turns)
    let places = visited.places(of: displays, becoming: after, together: turns.keys.sorted())
    return zip(after, places).map { LaidDisplay(name: $0.name, rectangle: $1, turn: $0.turn) }
  }

  private func both(_ turn: DisplayTransform) -> [String: DisplayTransform] {
    Dictionary(uniqueKeysWithValues: Self.names.map { ($0, turn) })
  }

  private func corners(_ displays: [LaidDisplay]) -> [[Int]] {
    displays.map { [$0.rectangle.x, $0.rectangle.y] }
  }

  @Test(arguments: [
    (DisplayTransform.turned90, [[1800, 0], [0, 0]]), (.turned180, [[0, 1800], [0, 0]]),
    (.turned270, [[0, 0], [1800, 0]]),
  ])
  func thePanelBelowComesToTheSide(turn: DisplayTransform, expected: [[Int]]) {
    let turned = self.turn(Self.stacked, both(turn))
    #expect(corners(turned) == expected)
    #expect(self.turn(turned, both(.none)) == Self.stacked)
  }

  @Test func anyTurnLeadsToTheSameArrangement() {
    var displays = Self.stacked
    for turn in [DisplayTransform.turned270, .turned180, .turned90, .turned270, .turned90] {
      displays = self.turn(displays, both(turn))
      #expect(corners(displays) == corners(PanelBodyTests().turn(Self.stacked, both(turn))), "\(turn)")
    }
  }

  @Test func aMonitorStaysOnItsSideOfTheDevice() {
    let monitor = LaidDisplay(
      name: "HDMI-1", rectangle: ScreenRectangle(x: 2880, y: 0, width: 1920, height: 1080), turn: .none)
    let turned = turn(Self.stacked + [monitor], both(.turned90))
    #expect(corners(turned) == [[1800, 0], [0, 0], [3600, 0]])
    let above = LaidDisplay(
      name: "HDMI-1", rectangle: ScreenRectangle(x: 0, y: 0, width: 1920, height: 1080), turn: .none)
    let below = Self.stacked.map {
      LaidDisplay(name: $0.name, rectangle: $0.rectangle.moved(x: 0, y: $0.rectangle.y + 1080), turn: .none)
    }
    let upsideDown = PanelBodyTests().turn(below + [above], both(.turned180))
    #expect(corners(upsideDown) == [[0, 2880], [0, 1080], [0, 0]])
  }

  @Test func aPanelThatComesBackFindsItsSide() {
    let left = turn(Self.stacked, both(.turned90))
    #expect(corners(left) == [[1800, 0], [0, 0]])
    // Lit again, upright, where it was before anything turned.
    var back = [left[0], Self.stacked[1]]
    back[0].rectangle = back[0].rectangle.moved(x: 0, y: 0)
    back[1].rectangle = back[1].rectangle.moved(x: 0, y: 2880)
    #expect(corners(turn(back, both(.turned90))) == [[1800, 0], [0, 0]])
  }

  @Test func whatHangsNotTogetherTurnsEachForItself() {
    let apart = [
      Self.stacked[0],
      LaidDisplay(
        name: "eDP-2", rectangle: ScreenRectangle(x: 5000, y: 0, width: 2880, height: 1800), turn: .none),
    ]
    let turned = turn(apart, both(.turned90))
    #expect(!turned[0].rectangle.overlaps(turned[1].rectangle))
    #expect(turned.map(\.rectangle.width) == [1800, 1800])
  }

  @Test func mirrorsOfEachOtherStaySo() {
    var mirror = Self.stacked
    mirror[1].rectangle = mirror[0].rectangle
    let turned = turn(mirror, both(.turned90))
    #expect(turned[0].rectangle == turned[1].rectangle)
    #expect(turned[0].rectangle.width == 1800)
  }
}
