// SPDX-License-Identifier: MIT

import Autorotation

/// A display's picture on the desktop.
struct LaidDisplay: Hashable, Sendable {
  var name: String
  var rectangle: ScreenRectangle
  var turn: DisplayTransform
}

/// Where everything goes when displays are turned, and the arrangements that turns have led through, so that turning
/// back restores the one before exactly: a new place is found by the neighbours, and which neighbour decided it is lost
/// by the turn.
///
/// As soon as somebody else has arranged the displays, all of that is forgotten.
final class VisitedArrangements {
  typealias Arrangement = [String: LaidDisplay]

  /// Two panels that turn each for itself have sixteen.
  private static let most = 16

  private var visited: [Arrangement] = []
  /// The panels that were turned together last. One of them that comes back in the layout it had before it was dark
  /// finds its side by this.
  private var body: PanelBody?

  func forget() {
    visited = []
  }

  /// - Parameters:
  ///   - before: as they lie now.
  ///   - after: the same with other turns and sizes. Their places do not count.
  ///   - together: the names of those that turn as one body.
  ///   - atOrigin: whether the layout has to begin at 0,0; else what is turned keeps its upper left corner.
  func places(
    of before: [LaidDisplay], becoming after: [LaidDisplay], together: [String] = [], atOrigin: Bool = true
  ) -> [ScreenRectangle] {
    let otherwise = { self.layout(of: before, becoming: after, Set(together), atOrigin) }
    let isBody = together.count > 1
    let arrangement = { Self.arrangement($0, turnsCount: isBody) }
    let (now, wanted) = (arrangement(before), arrangement(after))
    guard now.count == before.count, wanted.count == now.count else { return otherwise() }
    if !visited.contains(now) { visited = [now] }
    if let known = visited.first(where: { Self.areTurnedAlike($0, wanted) }) {
      return before.compactMap { known[$0.name]?.rectangle }
    }
    let new = otherwise()
    if visited.count < Self.most { visited.append(arrangement(zip(after, new).map { $0.moved(to: $1) })) }
    return new
  }

  /// - Parameter turnsCount: whether a half turn leads to another arrangement, as it does with panels that are
  ///   one body, and not with one display.
  private static func arrangement(_ displays: [LaidDisplay], turnsCount: Bool) -> Arrangement {
    let entries = displays.map { display in
      (
        display.name,
        turnsCount ? display : LaidDisplay(name: display.name, rectangle: display.rectangle, turn: .none)
      )
    }
    return Arrangement(entries) { first, _ in first }
  }

  private static func areTurnedAlike(_ one: Arrangement, _ other: Arrangement) -> Bool {
    one.count == other.count
      && one.allSatisfy { name, display in
        other[name].map { $0.turn == display.turn && $0.size == display.size } ?? false
      }
  }

  private func layout(
    of before: [LaidDisplay], becoming after: [LaidDisplay], _ together: Set<String>, _ atOrigin: Bool
  ) -> [ScreenRectangle] {
    let turned = before.indices.filter { together.contains(before[$0].name) || before[$0] != after[$0] }
    var layout = ScreenLayout(before.enumerated().map { .init(id: UInt32($0), rectangle: $1.rectangle) })
    if let body = bodyPlaces(turned.map { (before[$0], after[$0]) }) {
      layout = layout.moving(
        Dictionary(
          uniqueKeysWithValues: turned.map { (UInt32($0), body[before[$0].name] ?? before[$0].rectangle) }))
    } else {
      for index in turned {
        let size = after[index].size
        layout = layout.resizing(UInt32(index), width: size.width, height: size.height)
      }
    }
    let places = layout.tiles.map(\.rectangle)
    return atOrigin ? places : Self.keepCorner(of: turned, before.map(\.rectangle), places)
  }

  /// Where panels go that turn as one body, seen from the corner of all; `nil` if they do not.
  private func bodyPlaces(
    _ panels: [(before: LaidDisplay, after: LaidDisplay)]
  ) -> [String: ScreenRectangle]? {
    guard panels.count > 1, let turn = panels.first?.after.turn,
      panels.allSatisfy({ $0.after.turn == turn })
    else { return nil }
    if let now = PanelBody(panels.map(\.before)) { body = now }
    guard let body, body.consists(of: panels.map(\.before)) else { return nil }
    let places = body.turned(turn)
    let fits = panels.allSatisfy { panel in
      places[panel.after.name].map { PictureSize($0) == panel.after.size } ?? false
    }
    return fits ? places : nil
  }

  private static func keepCorner(
    of turned: [Int], _ before: [ScreenRectangle], _ after: [ScreenRectangle]
  ) -> [ScreenRectangle] {
    guard !turned.isEmpty else { return after }
    let old = ScreenRectangle(around: turned.map { before[$0] })
    let new = ScreenRectangle(around: turned.map { after[$0] })
    return after.map { $0.moved(x: $0.x - new.x + old.x, y: $0.y - new.y + old.y) }
  }
}

extension LaidDisplay {
  fileprivate var size: PictureSize { PictureSize(rectangle) }

  fileprivate func moved(to place: ScreenRectangle) -> Self {
    Self(name: name, rectangle: place, turn: turn)
  }
}
