// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

/// Properties of every layout, checked for usual layouts and for random ones.
@Suite("any screen layout")
@MainActor
struct ScreenLayoutPropertyTests {
  static let sizes = [(1280, 800), (800, 1280), (1920, 1080), (1024, 768), (2560, 1600), (1366, 768)]

  /// A panel with one or two monitors on any of its sides, aligned at either end, and a chain of two.
  static func usualLayouts() -> [ScreenLayout] {
    var layouts: [ScreenLayout] = []
    for panelSize in sizes {
      let panel = ScreenRectangle(x: 0, y: 0, width: panelSize.0, height: panelSize.1)
      for (width, height) in sizes {
        let right = ScreenRectangle(x: panel.maxX, y: 0, width: width, height: height)
        let below = ScreenRectangle(x: 0, y: panel.maxY, width: width, height: height)
        let left = ScreenRectangle(x: -width, y: 0, width: width, height: height)
        let above = ScreenRectangle(x: 0, y: -height, width: width, height: height)
        let farRight = ScreenRectangle(x: right.maxX, y: 0, width: 1920, height: 1080)
        let mirror = ScreenRectangle(x: 0, y: 0, width: width, height: height)
        let others = [
          [], [right], [left], [above], [below], [mirror], [left, right], [above, right], [above, left],
          [right, farRight], [left, farRight.moved(x: panel.maxX, y: 0)],
        ]
        layouts += others.map { layout([panel] + $0) }
      }
    }
    return layouts
  }

  static func layout(_ rectangles: [ScreenRectangle]) -> ScreenLayout {
    let left = rectangles.map(\.x).min() ?? 0
    let top = rectangles.map(\.y).min() ?? 0
    return ScreenLayout(rectangles.map { $0.moved(x: $0.x - left, y: $0.y - top) })
  }

  static func rotate(_ layout: ScreenLayout) -> ScreenLayout {
    guard let panel = layout[1] else { return layout }
    return layout.resizing(1, width: panel.height, height: panel.width)
  }

  @Test func `rotating back restores usual layouts`() {
    for layout in Self.usualLayouts() {
      #expect(Self.rotate(Self.rotate(layout)) == layout, "\(layout.tiles)")
    }
  }

  @Test(arguments: 1...20)
  func `displays neither overlap nor separate`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let layout = Self.grow(count: Int.random(in: 1...6, using: &random), with: &random)
      var rotated = layout
      for _ in 0..<4 {
        rotated = Self.rotate(rotated)
        let tiles = rotated.tiles
        try #require(!Self.anyOverlap(tiles), "\(layout.tiles) became \(rotated.tiles)")
        try #require(Self.areConnected(tiles), "\(layout.tiles) became \(rotated.tiles)")
        try #require(tiles.map(\.x).min() == 0 && tiles.map(\.y).min() == 0)
        try #require(tiles.allSatisfy { $0.fits(width: rotated.width, height: rotated.height) })
      }
    }
  }

  static func anyOverlap(_ tiles: [ScreenRectangle]) -> Bool {
    tiles.indices.contains { first in tiles[..<first].contains { $0.overlaps(tiles[first]) } }
  }

  static func areConnected(_ tiles: [ScreenRectangle]) -> Bool {
    var reached: Set<Int> = [0]
    while let next = tiles.indices.first(where: { index in
      !reached.contains(index) && reached.contains { tiles[$0].touches(tiles[index]) }
    }) {
      reached.insert(next)
    }
    return reached.count == tiles.count
  }

  /// Pseudo-random numbers that are the same in each run.
  struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
      state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  /// Adds each tile at a random position along a side of an existing one.
  static func grow(count: Int, with random: inout SeededRandom) -> ScreenLayout {
    var tiles = [size(&random)]
    while tiles.count < count {
      let new = against(tiles[Int.random(in: tiles.indices, using: &random)], size(&random), &random)
      if !tiles.contains(where: { $0.overlaps(new) }) { tiles.append(new) }
    }
    return layout(tiles)
  }

  private static func size(_ random: inout SeededRandom) -> ScreenRectangle {
    let (width, height) = sizes[Int.random(in: sizes.indices, using: &random)]
    return ScreenRectangle(x: 0, y: 0, width: width, height: height)
  }

  private static func against(
    _ base: ScreenRectangle, _ tile: ScreenRectangle, _ random: inout SeededRandom
  ) -> ScreenRectangle {
    let y = Int.random(in: base.y - tile.height + 1..<base.maxY, using: &random)
    let x = Int.random(in: base.x - tile.width + 1..<base.maxX, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return tile.moved(x: base.maxX, y: y)
    case 1: return tile.moved(x: base.x - tile.width, y: y)
    case 2: return tile.moved(x: x, y: base.maxY)
    default: return tile.moved(x: x, y: base.y - tile.height)
    }
  }
}
