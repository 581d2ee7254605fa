// SPDX-License-Identifier: MIT

/// The positions of all displays on the desktop, and how the others make room when one is rotated.
///
/// The rotated display keeps its upper left corner. From there outwards, each other display is placed again beside its
/// former neighbour: on the same side, at the same offset along the common edge, moved along it only where they would
/// no longer touch. So displays side by side stay so without gap or overlap, mirrors stay mirrors, and rotating back
/// restores the layout.
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

/// A new layout under construction: the displays placed so far, with their old and new rectangles.
struct Placement {
  struct Move {
    var id: Int
    var old: ScreenRectangle
    var new: ScreenRectangle
  }

  private(set) var moves: [Move]

  /// Tiles are placed in the order of their ranks: mirrors and overlapping tiles first, then neighbours, then separate
  /// tiles by distance.
  func rank(_ tile: ScreenLayout.Tile) -> Int {
    moves.map { move in
      if move.old.overlaps(tile.rectangle) { return 0 }
      if move.old.touches(tile.rectangle) { return 1 }
      return 2 + move.old.distance(to: tile.rectangle)
    }.min() ?? 0
  }

  mutating func place(_ tile: ScreenLayout.Tile) {
    let old = tile.rectangle
    let anchors = anchors(of: old)
    let followed = anchors.map { Self.follow($0, old) }
    let slid = zip(anchors, followed).flatMap(slides)
    let beside = moves.flatMap { Self.beside($0.new, old) }
    let goal = followed.first ?? old
    let candidates = followed + Self.nearestFirst(slid, to: goal) + Self.nearestFirst(beside, to: goal)
    // A place beside the outermost tile is always free.
    let new = candidates.first { isFree($0, for: old) } ?? goal
    moves.append(Move(id: tile.id, old: old, new: new))
  }

  /// The tiles that a tile follows: those that it overlaps, then its neighbours; else the nearest.
  private func anchors(of old: ScreenRectangle) -> [Move] {
    let overlapped = moves.filter { $0.old.overlaps(old) }
    let neighbours = moves.filter { $0.old.touches(old) }
    guard overlapped.isEmpty, neighbours.isEmpty else { return overlapped + neighbours }
    return moves.min { $0.old.distance(to: old) < $1.old.distance(to: old) }.map { [$0] } ?? []
  }

  /// Whether the candidate overlaps only tiles that it overlapped before.
  private func isFree(_ candidate: ScreenRectangle, for old: ScreenRectangle) -> Bool {
    moves.allSatisfy { !$0.new.overlaps(candidate) || $0.old.overlaps(old) }
  }

  /// Places along the anchor's edge just beside an obstacle.
  private func slides(_ anchor: Move, _ followed: ScreenRectangle) -> [ScreenRectangle] {
    let places = moves.map(\.new).flatMap { obstacle in
      [
        followed.moved(x: followed.x, y: obstacle.y - followed.height),
        followed.moved(x: followed.x, y: obstacle.maxY),
        followed.moved(x: obstacle.x - followed.width, y: followed.y),
        followed.moved(x: obstacle.maxX, y: followed.y),
      ]
    }
    return places.filter(anchor.new.touches)
  }

  /// The place that keeps side, distance and offset to an anchor.
  private static func follow(_ anchor: Move, _ old: ScreenRectangle) -> ScreenRectangle {
    let overlapped = anchor.old.overlaps(old)
    return old.moved(
      x: follow(from: anchor.old.columns, to: anchor.new.columns, old.columns, mayPart: overlapped),
      y: follow(from: anchor.old.rows, to: anchor.new.rows, old.rows, mayPart: overlapped))
  }

  /// The same along one axis: the new lower bound of a span whose anchor has changed from `old` to `new`.
  /// - Parameter mayPart: whether spans that overlapped may end up just touching.
  private static func follow(
    from old: Range<Int>, to new: Range<Int>, _ span: Range<Int>, mayPart: Bool
  ) -> Int {
    if span.lowerBound >= old.upperBound { return new.upperBound + span.lowerBound - old.upperBound }
    let kept = new.lowerBound + span.lowerBound - old.lowerBound
    guard span.upperBound > old.lowerBound, kept >= new.upperBound else { return kept }
    return mayPart ? new.upperBound : new.upperBound - span.count
  }

  private static func beside(_ placed: ScreenRectangle, _ tile: ScreenRectangle) -> [ScreenRectangle] {
    [
      tile.moved(x: placed.maxX, y: placed.y),
      tile.moved(x: placed.x, y: placed.maxY),
      tile.moved(x: placed.x - tile.width, y: placed.y),
      tile.moved(x: placed.x, y: placed.y - tile.height),
    ]
  }

  private static func nearestFirst(
    _ places: [ScreenRectangle], to goal: ScreenRectangle
  ) -> [ScreenRectangle] {
    places.sorted { abs($0.x - goal.x) + abs($0.y - goal.y) < abs($1.x - goal.x) + abs($1.y - goal.y) }
  }
}

extension ScreenRectangle {
  fileprivate var columns: Range<Int> { x..<maxX }
  fileprivate var rows: Range<Int> { y..<maxY }
}
