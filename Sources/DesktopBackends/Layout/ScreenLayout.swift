// SPDX-License-Identifier: MIT

/// The positions of all displays on the desktop, and how the others make room when one is rotated.
///
/// The rotated display keeps its upper left corner. From there outwards, each other display is placed again beside its
/// former neighbour: on the same side, at the same offset along the common edge, moved along it only where they would
/// no longer touch. So displays side by side stay so without gap or overlap, mirrors stay mirrors, and rotating back
/// restores the layout.
struct ScreenLayout: Equatable, Sendable {
  /// Laying out more takes too long; no real desktop has so many displays.
  static let maximumNeighbours = 64

  let tiles: [ScreenRectangle]

  init(_ tiles: [ScreenRectangle]) {
    self.tiles = tiles
  }

  /// The layout in which a group of displays is rearranged, and the others have made room.
  /// - Parameter group: the new places of the group by tile index, relative to the upper left corner of the group.
  func moving(_ group: [Int: ScreenRectangle]) -> Self {
    let moved = tiles.indices.filter { group[$0] != nil }
    guard !moved.isEmpty else { return self }
    let old = ScreenRectangle(around: moved.map { tiles[$0] })
    let new = group.mapValues { $0.offset(x: old.x, y: old.y) }
    // The others follow the outline of the group, unless it contains gaps.
    let isFull = moved.reduce(0) { $0 + tiles[$1].width * tiles[$1].height } == old.width * old.height
    let moves =
      isFull
      ? [Placement.Move(old: old, new: ScreenRectangle(around: Array(new.values)))]
      : moved.map { Placement.Move(old: tiles[$0], new: new[$0] ?? tiles[$0]) }
    return placed(around: moves, new)
  }

  private func placed(around moves: [Placement.Move], _ fixed: [Int: ScreenRectangle]) -> Self {
    var (placement, new) = (Placement(moves: moves), fixed)
    var waiting = tiles.indices.filter { fixed[$0] == nil }
    while let next = waiting.min(by: { placement.rank(tiles[$0]) < placement.rank(tiles[$1]) }) {
      waiting.removeAll { $0 == next }
      new[next] = placement.place(tiles[next])
    }
    let places = tiles.indices.map { new[$0] ?? tiles[$0] }
    // RandR and others require that the upper left corner is at 0,0.
    let corner = ScreenRectangle(around: places)
    return Self(places.map { $0.offset(x: -corner.x, y: -corner.y) })
  }
}

/// A new layout under construction: the displays placed so far, with their old and new rectangles.
struct Placement {
  struct Move {
    var old: ScreenRectangle
    var new: ScreenRectangle
  }

  private(set) var moves: [Move]

  /// Tiles are placed in the order of their ranks: mirrors and overlapping tiles first, then neighbours, then separate
  /// tiles by distance.
  func rank(_ tile: ScreenRectangle) -> Int {
    moves.map { move in
      if move.old.overlaps(tile) { return 0 }
      if move.old.touches(tile) { return 1 }
      return 2 + move.old.distance(to: tile)
    }.min() ?? 0
  }

  /// - Returns: the new place of a tile.
  mutating func place(_ old: ScreenRectangle) -> ScreenRectangle {
    let anchors = anchors(of: old)
    let followed = anchors.map { Self.follow($0, old) }
    let slid = zip(anchors, followed).flatMap(slides)
    let beside = moves.flatMap { Self.beside($0.new, old) }
    let goal = followed.first ?? old
    let candidates = followed + Self.nearestFirst(slid, to: goal) + Self.nearestFirst(beside, to: goal)
    // A place beside the outermost tile is always free.
    let new = candidates.first { isFree($0, for: old) } ?? goal
    moves.append(Move(old: old, new: new))
    return new
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
