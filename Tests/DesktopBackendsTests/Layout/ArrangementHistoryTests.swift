// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("visited arrangements")
@MainActor
struct VisitedArrangementsTests {
  typealias Places = ArrangementHistory.Arrangement

  static let panel = ScreenRectangle(x: 0, y: 768, width: 1280, height: 800)
  static let monitor = ScreenRectangle(x: 1000, y: 0, width: 1024, height: 768)
  static let before = places(["eDP-1": panel, "HDMI-1": monitor])

  private static func places(_ rectangles: [String: ScreenRectangle]) -> Places {
    Places(
      uniqueKeysWithValues: rectangles.map {
        ($0.key, PlacedDisplay(name: $0.key, rectangle: $0.value, rotation: .none))
      })
  }

  /// Rotates one display by 90°, or back.
  private func rotate(_ places: Places, _ visited: ArrangementHistory, _ name: String = "eDP-1") -> Places {
    let before = places.keys.sorted().compactMap { places[$0] }
    let after = before.map { $0.name == name ? $0.rotated : $0 }
    let new = visited.places(of: before, becoming: after)
    return Places(
      uniqueKeysWithValues: zip(after, new).map { display, place in
        (display.name, PlacedDisplay(name: display.name, rectangle: place, rotation: display.rotation))
      })
  }

  @Test func `rotating back restores the arrangement`() {
    let visited = ArrangementHistory()
    let rotated = rotate(Self.before, visited)
    #expect(rotate(rotated, ArrangementHistory()) != Self.before, "otherwise this test proves nothing")
    #expect(rotate(rotated, visited) == Self.before)
  }

  @Test(arguments: DisplayTransform.allCases)
  func `a display rotates by its name and swaps its sides`(rotation: DisplayTransform) {
    let before = Self.before.values.sorted { $0.name > $1.name }
    let places = ArrangementHistory().places(of: before, rotating: [PanelRotation("eDP-1", to: rotation)])
    var after = before
    after[0] = rotation.swapsSides ? before[0].rotated : before[0]
    after[0].rotation = rotation
    #expect(places == ArrangementHistory().places(of: before, becoming: after, together: ["eDP-1"]))
    #expect(places[0].width == (rotation.swapsSides ? Self.panel.height : Self.panel.width))
  }

  @Test func `an arrangement by another program is kept`() throws {
    let visited = ArrangementHistory()
    var rotated = rotate(Self.before, visited)
    let place = try #require(rotated["HDMI-1"]?.rectangle)
    rotated["HDMI-1"]?.rectangle = place.moved(x: place.x, y: place.y + 10)
    #expect(rotate(rotated, visited) == rotate(rotated, ArrangementHistory()))
  }

  @Test func `another set of displays is another arrangement`() {
    let visited = ArrangementHistory()
    _ = rotate(Self.before, visited)
    let alone = Self.places(["eDP-1": Self.panel.moved(x: 0, y: 0)])
    let rotated = rotate(alone, visited)
    #expect(rotated["eDP-1"]?.rectangle == ScreenRectangle(x: 0, y: 0, width: 800, height: 1280))
  }

  @Test(arguments: 1...20)
  func `any layout is restored after rotating two panels`(seed: UInt64) {
    var random = ScreenLayoutPropertyTests.SeededRandom(seed: seed)
    for _ in 0..<50 {
      let layout = ScreenLayoutPropertyTests.grow(count: Int.random(in: 2...6, using: &random), with: &random)
      let before = Self.places(
        Dictionary(uniqueKeysWithValues: zip(1..., layout.tiles).map { ("\($0)", $1) }))
      let visited = ArrangementHistory()
      var places = before
      var isRotated = ["1": false, "2": false]
      for _ in 0..<12 {
        let name = Bool.random(using: &random) ? "1" : "2"
        isRotated[name]?.toggle()
        places = rotate(places, visited, name)
      }
      for (name, isRotated) in isRotated where isRotated { places = rotate(places, visited, name) }
      #expect(places == before, "\(layout.tiles)")
    }
  }
}

extension PlacedDisplay {
  @MainActor fileprivate var rotated: Self {
    let place = ScreenRectangle(
      x: rectangle.x, y: rectangle.y, width: rectangle.height, height: rectangle.width)
    return Self(name: name, rectangle: place, rotation: self.rotation == .none ? .rotated90 : .none)
  }
}
