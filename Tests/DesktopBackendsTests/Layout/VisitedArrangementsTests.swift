// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

@Suite("visited arrangements")
@MainActor
struct VisitedArrangementsTests {
  typealias Places = VisitedArrangements.Arrangement

  static let panel = ScreenRectangle(x: 0, y: 768, width: 1280, height: 800)
  static let monitor = ScreenRectangle(x: 1000, y: 0, width: 1024, height: 768)
  static let before = ["eDP-1": panel, "HDMI-1": monitor]

  private func turn(_ places: Places, _ visited: VisitedArrangements, _ name: String = "eDP-1") -> Places {
    let names = places.keys.sorted()
    let old = names.compactMap { places[$0] }
    guard let turned = places[name] else { return places }
    return visited.places(of: places, resizing: name, width: turned.height, height: turned.width) {
      let layout = ScreenLayout(zip(0..., old).map { .init(id: $0, rectangle: $1) })
      let new = layout.resizing(
        UInt32(names.firstIndex(of: name) ?? 0), width: turned.height, height: turned.width)
      return Places(uniqueKeysWithValues: zip(names, new.tiles.map(\.rectangle)))
    }
  }

  @Test func turningBackRestoresWhatTheNeighboursAloneCouldNot() {
    let visited = VisitedArrangements()
    let turned = turn(Self.before, visited)
    #expect(turn(turned, VisitedArrangements()) != Self.before, "or this test shows nothing")
    #expect(turn(turned, visited) == Self.before)
  }

  @Test func whatSomebodyArrangedMeanwhileIsKept() throws {
    let visited = VisitedArrangements()
    var turned = turn(Self.before, visited)
    let place = try #require(turned["HDMI-1"])
    turned["HDMI-1"] = place.moved(x: place.x, y: place.y + 10)
    #expect(turn(turned, visited) == turn(turned, VisitedArrangements()))
  }

  @Test func anotherScaleOrMonitorIsAnotherArrangement() {
    let visited = VisitedArrangements()
    _ = turn(Self.before, visited)
    let alone = ["eDP-1": Self.panel.moved(x: 0, y: 0)]
    #expect(turn(alone, visited) == ["eDP-1": ScreenRectangle(x: 0, y: 0, width: 800, height: 1280)])
  }

  @Test(arguments: 1...20)
  func anyLayoutIsRestoredHoweverTwoPanelsTurn(seed: UInt64) {
    var dice = ScreenLayoutPropertyTests.Dice(seed: seed)
    for _ in 0..<50 {
      let layout = ScreenLayoutPropertyTests.grow(count: Int.random(in: 2...6, using: &dice), with: &dice)
      let before = Places(uniqueKeysWithValues: layout.tiles.map { ("\($0.id)", $0.rectangle) })
      let visited = VisitedArrangements()
      var places = before
      var turns = ["1": false, "2": false]
      for _ in 0..<12 {
        let name = Bool.random(using: &dice) ? "1" : "2"
        turns[name]?.toggle()
        places = turn(places, visited, name)
      }
      for (name, isTurned) in turns where isTurned { places = turn(places, visited, name) }
      #expect(places == before, "\(layout.tiles)")
    }
  }
}
