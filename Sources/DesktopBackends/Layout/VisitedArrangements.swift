// SPDX-License-Identifier: MIT

/// The arrangements that turns have led through, so that turning back restores the one before exactly: a new
/// place is found by the neighbours, and which neighbour decided it is lost by the turn.
///
/// As soon as somebody else has arranged the displays, all of that is forgotten.
final class VisitedArrangements {
  /// Where each display's picture lies, by its name.
  typealias Arrangement = [String: ScreenRectangle]

  /// Two panels that turn have sixteen, of which four differ in their sizes.
  private static let most = 16

  private var visited: [Arrangement] = []

  func forget() {
    visited = []
  }

  /// Where everything goes when one display is turned.
  /// - Parameters:
  ///   - rectangles: as they lie now.
  ///   - otherwise: finds it where it has not been so before.
  func places(
    of rectangles: Arrangement, resizing name: String, width: Int, height: Int, otherwise: () -> Arrangement
  ) -> Arrangement {
    guard let turned = rectangles[name] else { return otherwise() }
    if !visited.contains(rectangles) { visited = [rectangles] }
    var wanted = rectangles
    wanted[name] = ScreenRectangle(x: turned.x, y: turned.y, width: width, height: height)
    if let known = visited.first(where: { Self.haveSameSizes($0, wanted) }) { return known }
    let new = otherwise()
    if visited.count < Self.most { visited.append(new) }
    return new
  }

  /// The same of displays in an order of their own.
  func places(
    of displays: [(name: String, rectangle: ScreenRectangle)], resizing index: Int, width: Int, height: Int,
    otherwise: () -> [ScreenRectangle]
  ) -> [ScreenRectangle] {
    let names = displays.map(\.name)
    let before = Arrangement(zip(names, displays.map(\.rectangle))) { first, _ in first }
    guard before.count == displays.count else { return otherwise() }
    let after = places(of: before, resizing: names[index], width: width, height: height) {
      Arrangement(uniqueKeysWithValues: zip(names, otherwise()))
    }
    return names.compactMap { after[$0] }
  }

  private static func haveSameSizes(_ one: Arrangement, _ other: Arrangement) -> Bool {
    one.count == other.count
      && one.allSatisfy { name, place in
        other[name].map { ($0.width, $0.height) == (place.width, place.height) } ?? false
      }
  }
}
