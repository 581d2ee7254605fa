// SPDX-License-Identifier: MIT

/// Where each picture lies on the desktop, and how the others make room when one is turned.
///
/// The turned one keeps its upper left corner. From there outwards each other one is placed anew
/// beside the neighbour it had: on the same side, at the same offset along the common edge, slid only
/// where they would no longer meet. So pictures side by side stay so without gap or overlap, what
/// shows the same place goes on doing so, and turning back restores the layout.
struct ScreenLayout: Equatable, Sendable {
  struct Tile: Equatable, Sendable {
    /// The XID of its CRTC, or whatever tells displays apart.
    var id: UInt32
    var rectangle: ScreenRectangle
  }

  /// Laying out more than that takes too long, and is nobody's desk.
  static let mostNeighbours = 64

  private(set) var tiles: [Tile]

  init(_ tiles: [Tile]) {
    self.tiles = tiles
  }

  subscript(id: UInt32) -> ScreenRectangle? {
    tiles.first { $0.id == id }?.rectangle
  }

  /// The smallest screen that holds all.
  var width: Int { tiles.map(\.rectangle.maxX).max() ?? 0 }
  var height: Int { tiles.map(\.rectangle.maxY).max() ?? 0 }

  /// The layout in which one picture has another size, and the others have made room.
  func resizing(_ id: UInt32, width: Int, height: Int) -> Self {
    guard let turned = self[id] else { return self }
    let resized = ScreenRectangle(x: turned.x, y: turned.y, width: width, height: height)
    var placement = Placement([Placement.Move(id: id, old: turned, new: resized)])
    var waiting = tiles.filter { $0.id != id }
    while let next = waiting.indices.min(by: { placement.rank(waiting[$0]) < placement.rank(waiting[$1]) }) {
      placement.place(waiting.remove(at: next))
    }
    let new = Dictionary(uniqueKeysWithValues: placement.moves.map { ($0.id, $0.new) })
    return Self(tiles.map { Tile(id: $0.id, rectangle: new[$0.id] ?? $0.rectangle) }).atOrigin
  }

  /// The same layout, its upper left corner at 0,0 as RandR and others want it.
  private var atOrigin: Self {
    let left = tiles.map(\.rectangle.x).min() ?? 0
    let top = tiles.map(\.rectangle.y).min() ?? 0
    return Self(
      tiles.map { tile in
        let old = tile.rectangle
        return Tile(id: tile.id, rectangle: old.moved(x: old.x - left, y: old.y - top))
      })
  }
}

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
