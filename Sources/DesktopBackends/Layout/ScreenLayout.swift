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
    return placed(around: [Placement.Move(id: id, old: turned, new: resized)], [id: resized])
  }

  /// The layout in which some pictures lie otherwise beside each other, and the others have made room.
  /// - Parameter body: the new places of those, by their tiles, seen from the upper left corner of all of them.
  func moving(_ body: [UInt32: ScreenRectangle]) -> Self {
    let moved = tiles.filter { body[$0.id] != nil }
    guard let first = moved.first else { return self }
    let old = ScreenRectangle(around: moved.map(\.rectangle))
    let new = body.mapValues { $0.moved(x: $0.x + old.x, y: $0.y + old.y) }
    let whole = ScreenRectangle(around: Array(new.values))
    // The others go by the outline, unless that encloses what no panel shows.
    let isFull = moved.reduce(0) { $0 + $1.rectangle.width * $1.rectangle.height } == old.width * old.height
    let moves =
      isFull
      ? [Placement.Move(id: first.id, old: old, new: whole)]
      : moved.map { Placement.Move(id: $0.id, old: $0.rectangle, new: new[$0.id] ?? $0.rectangle) }
    return placed(around: moves, new)
  }

  private func placed(around moves: [Placement.Move], _ settled: [UInt32: ScreenRectangle]) -> Self {
    var placement = Placement(moves)
    var waiting = tiles.filter { settled[$0.id] == nil }
    while let next = waiting.indices.min(by: { placement.rank(waiting[$0]) < placement.rank(waiting[$1]) }) {
      placement.place(waiting.remove(at: next))
    }
    let others = placement.moves.dropFirst(moves.count).map { ($0.id, $0.new) }
    let new = settled.merging(others) { first, _ in first }
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
