// SPDX-License-Identifier: MIT

import Autorotation

struct PlacedDisplay: Hashable, Sendable {
  var name: String
  var rectangle: ScreenRectangle
  var rotation: DisplayTransform

  /// Keeps the position of the upper left corner.
  fileprivate func rotated(to rotation: DisplayTransform) -> Self {
    let keepsSides = rotation.swapsSides == self.rotation.swapsSides
    let size = keepsSides ? rectangle.size : rectangle.size.sidesSwapped
    let place = ScreenRectangle(x: rectangle.x, y: rectangle.y, width: size.width, height: size.height)
    return Self(name: name, rectangle: place, rotation: rotation)
  }

  func moved(to place: ScreenRectangle) -> Self {
    Self(name: name, rectangle: place, rotation: rotation)
  }
}

/// Computes the new places of all displays after a rotation, and remembers the arrangements before and after each
/// rotation, so that rotating back restores them exactly. Without that, it would not: a place depends on the
/// neighbours, and a rotation can change which neighbour determines it.
///
/// All arrangements are forgotten as soon as another program or the user has arranged the displays.
final class ArrangementHistory {
  typealias Arrangement = [String: PlacedDisplay]

  /// Two panels that rotate independently have sixteen.
  private static let most = 16

  private var visited: [Arrangement] = []
  /// The panels that were last rotated together. A panel that is lit again at its old position gets its side by this.
  private var group: PanelGroup?

  func forget() {
    visited = []
  }

  /// - Parameters:
  ///   - before: the current displays.
  ///   - after: the same displays with new rotations and sizes. Their positions are ignored.
  ///   - together: the names of the displays that rotate as one body.
  ///   - atOrigin: whether the layout has to begin at 0,0; else the rotated displays keep their upper left corner.
  func places(
    of before: [PlacedDisplay], becoming after: [PlacedDisplay], together: [String] = [],
    atOrigin: Bool = true
  ) -> [ScreenRectangle] {
    let computed = { self.layout(of: before, becoming: after, Set(together), atOrigin) }
    let isGroup = together.count > 1
    let arrangement = { Self.arrangement($0, hasRotation: isGroup) }
    let (now, wanted) = (arrangement(before), arrangement(after))
    guard now.count == before.count, wanted.count == now.count else { return computed() }
    if !visited.contains(now) { visited = [now] }
    if let known = visited.first(where: { Self.haveSameRotations($0, wanted) }) {
      return before.compactMap { known[$0.name]?.rectangle }
    }
    let new = computed()
    if visited.count < Self.most { visited.append(arrangement(zip(after, new).map { $0.moved(to: $1) })) }
    return new
  }

  /// The places of all displays after a rotation, which swaps the sides of a display or keeps its size.
  /// - Parameters:
  ///   - rotations: the displays to rotate, by their names in `displays`. They rotate as one body.
  ///   - atOrigin: as in `places(of:becoming:together:atOrigin:)`.
  func places(
    of displays: [PlacedDisplay], rotating rotations: [PanelRotation], atOrigin: Bool = true
  ) -> [ScreenRectangle] {
    let rotated = displays.map { display in
      rotations.last { $0.output == display.name }.map { display.rotated(to: $0.transform) } ?? display
    }
    return places(of: displays, becoming: rotated, together: rotations.map(\.output), atOrigin: atOrigin)
  }

  /// - Parameter hasRotation: whether arrangements that differ only by a rotation of 180° are different. They are for a
  ///   group of panels, and not for one display.
  private static func arrangement(_ displays: [PlacedDisplay], hasRotation: Bool) -> Arrangement {
    var displays = displays
    if !hasRotation { for index in displays.indices { displays[index].rotation = .none } }
    return Arrangement(displays.map { ($0.name, $0) }) { first, _ in first }
  }

  private static func haveSameRotations(_ one: Arrangement, _ other: Arrangement) -> Bool {
    one.count == other.count
      && one.allSatisfy { name, display in
        other[name]?.rotation == display.rotation && other[name]?.rectangle.size == display.rectangle.size
      }
  }

  private func layout(
    of before: [PlacedDisplay], becoming after: [PlacedDisplay], _ together: Set<String>, _ atOrigin: Bool
  ) -> [ScreenRectangle] {
    let rotated = before.indices.filter { together.contains(before[$0].name) || before[$0] != after[$0] }
    var layout = ScreenLayout(before.map(\.rectangle))
    if let group = groupPlaces(rotated.map { (before[$0], after[$0]) }) {
      let moved = rotated.map { ($0, group[before[$0].name] ?? before[$0].rectangle) }
      layout = layout.moving(Dictionary(uniqueKeysWithValues: moved))
    } else {
      for index in rotated { layout = layout.moving([index: after[index].rectangle.moved(x: 0, y: 0)]) }
    }
    return atOrigin ? layout.tiles : Self.keepCorner(of: rotated, before.map(\.rectangle), layout.tiles)
  }

  /// The places of panels that rotate as one body, relative to the corner of the group; `nil` if they do not.
  private func groupPlaces(
    _ panels: [(before: PlacedDisplay, after: PlacedDisplay)]
  ) -> [String: ScreenRectangle]? {
    guard panels.count > 1, let rotation = panels.first?.after.rotation,
      panels.allSatisfy({ $0.after.rotation == rotation })
    else { return nil }
    if let now = PanelGroup(panels.map(\.before)) { group = now }
    guard let group, group.consists(of: panels.map(\.before)) else { return nil }
    let places = group.rotated(rotation)
    return panels.allSatisfy { places[$0.after.name]?.size == $0.after.rectangle.size } ? places : nil
  }

  private static func keepCorner(
    of rotated: [Int], _ before: [ScreenRectangle], _ after: [ScreenRectangle]
  ) -> [ScreenRectangle] {
    guard !rotated.isEmpty else { return after }
    let old = ScreenRectangle(around: rotated.map { before[$0] })
    let new = ScreenRectangle(around: rotated.map { after[$0] })
    return after.map { $0.offset(x: old.x - new.x, y: old.y - new.y) }
  }
}
