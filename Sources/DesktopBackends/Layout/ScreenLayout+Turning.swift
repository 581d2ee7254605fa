// SPDX-License-Identifier: MIT

extension ScreenLayout {
  /// Where pictures have to be when one of them gets another size. That one keeps its upper left corner.
  static func places(
    of rectangles: [ScreenRectangle], resizing index: Int, width: Int, height: Int
  ) -> [ScreenRectangle] {
    let tiles = rectangles.enumerated().map { Tile(id: UInt32($0), rectangle: $1) }
    let new = Self(tiles).resizing(UInt32(index), width: width, height: height)
    let (before, after) = (rectangles[index], new.tiles[index].rectangle)
    return new.tiles.map {
      $0.rectangle.moved(x: $0.rectangle.x - after.x + before.x, y: $0.rectangle.y - after.y + before.y)
    }
  }
}

extension VisitedArrangements {
  /// The layout in which one picture has another size, and exactly as it was where it has been so before.
  func resizing(_ layout: ScreenLayout, _ id: UInt32, width: Int, height: Int) -> ScreenLayout {
    guard let index = layout.tiles.firstIndex(where: { $0.id == id }) else { return layout }
    let places = places(
      of: layout.tiles.map { ("\($0.id)", $0.rectangle) }, resizing: index, width: width, height: height
    ) {
      layout.resizing(id, width: width, height: height).tiles.map(\.rectangle)
    }
    return ScreenLayout(zip(layout.tiles, places).map { .init(id: $0.id, rectangle: $1) })
  }

  /// The same, and exactly as it was where it has been so before.
  func places(
    of displays: [(name: String, rectangle: ScreenRectangle)], resizing index: Int, width: Int, height: Int
  ) -> [ScreenRectangle] {
    places(of: displays, resizing: index, width: width, height: height) {
      ScreenLayout.places(of: displays.map(\.rectangle), resizing: index, width: width, height: height)
    }
  }
}
