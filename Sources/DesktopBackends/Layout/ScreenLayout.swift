// SPDX-License-Identifier: MIT

/// The positions of all displays on the desktop, and how the others make room when one is rotated.
///
/// The rotated display keeps its upper left corner. From there outwards, each other display is placed again beside its
/// former neighbour: on the same side, at the same offset along the common edge, moved along it only where they would no
/// longer touch. So displays side by side stay so without gap or overlap, mirrors stay mirrors, and rotating back restores
/// the layout.
struct ScreenLayout: Equatable, Sendable {
  struct Tile: Equatable, Sendable {
    /// A unique number of the display.
    var id: Int
    var rectangle: ScreenRectangle
  }

  /// Laying out more takes too long; no real desktop has so many displays.
  static let maximumNeighbours = 64

  let tiles: [Tile]

  init(_ tiles: [Tile]) {
    self.tiles = tiles
  }

  /// The layout in which a group of displays is rearranged, and the others have made room.
  /// - Parameter group: the new places of the group by tile id, relative to the upper left corner of the group.
  func moving(_ group: [Int: ScreenRectangle]) -> Self {
    let moved = tiles.filter { group[$0.id] != nil }
    guard let first = moved.first else { return self }
    let old = ScreenRectangle(around: moved.map(\.rectangle))
    let new = group.mapValues { $0.offset(x: old.x, y: old.y) }
    let whole = ScreenRectangle(around: Array(new.values))
    // The others follow the outline of the group, unless it contains gaps.
    let isFull = moved.reduce(0) { $0 + $1.rectangle.width * $1.rectangle.height } == old.width * old.height
    let moves =
      isFull
      ? [Placement.Move(id: first.id, old: old, new: whole)]
      : moved.map { Placement.Move(id: $0.id, old: $0.rectangle, new: new[$0.id] ?? $0.rectangle) }
    return placed(around: moves, new)
  }

  private func placed(around moves: [Placement.Move], _ fixed: [Int: ScreenRectangle]) -> Self {
    var placement = Placement(moves: moves)
    var waiting = tiles.filter { fixed[$0.id] == nil }
    while let next = waiting.indices.min(by: { placement.rank(waiting[$0]) < placement.rank(waiting[$1]) }) {
      placement.place(waiting.remove(at: next))
    }
    let others = placement.moves.dropFirst(moves.count).map { ($0.id, $0.new) }
    let new = fixed.merging(others) { first, _ in first }
    return Self(tiles.map { Tile(id: $0.id, rectangle: new[$0.id] ?? $0.rectangle) }).atOrigin
  }

  /// The same layout with its upper left corner at 0,0, as RandR and others require.
  private var atOrigin: Self {
    let corner = ScreenRectangle(around: tiles.map(\.rectangle))
    return Self(tiles.map { Tile(id: $0.id, rectangle: $0.rectangle.offset(x: -corner.x, y: -corner.y)) })
  }
}
