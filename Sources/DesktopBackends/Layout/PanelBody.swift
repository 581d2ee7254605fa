// SPDX-License-Identifier: MIT

import Autorotation

/// Panels that are built into one device: with it they turn like one body, so that the one below comes to the side.
struct PanelBody: Equatable {
  /// Where each lies while none is turned, seen from the upper left corner of all, by its name.
  private let unturned: [String: ScreenRectangle]

  /// - Returns: `nil` unless there are several, all turned alike, without a gap in between.
  init?(_ panels: [LaidDisplay]) {
    guard let turn = panels.first?.turn, panels.count > 1, panels.allSatisfy({ $0.turn == turn }),
      Self.hang(panels.map(\.rectangle))
    else { return nil }
    let places = panels.map { ($0.name, $0.rectangle) }
    unturned = Self.turned(
      Dictionary(places) { first, _ in first }, quarters: (4 - Int(turn.rawValue)) % 4)
  }

  /// Where each lies when all are turned so, seen from the upper left corner of all.
  func turned(_ turn: DisplayTransform) -> [String: ScreenRectangle] {
    Self.turned(unturned, quarters: Int(turn.rawValue))
  }

  /// Whether these are the same panels.
  func consists(of panels: [LaidDisplay]) -> Bool {
    panels.count == unturned.count
      && panels.allSatisfy { panel in
        unturned[panel.name].map { PictureSize($0).turned(panel.turn) == PictureSize(panel.rectangle) }
          ?? false
      }
  }

  /// What turns a picture anticlockwise on its panel was the device's turning clockwise.
  private static func turned(
    _ places: [String: ScreenRectangle], quarters: Int
  ) -> [String: ScreenRectangle] {
    let whole = ScreenRectangle(around: Array(places.values))
    return places.mapValues { place in
      let (left, top) = (place.x - whole.x, place.y - whole.y)
      let (right, bottom) = (whole.maxX - place.maxX, whole.maxY - place.maxY)
      let size = quarters % 2 == 1 ? PictureSize(place).onItsSide : PictureSize(place)
      let (x, y) = [(left, top), (bottom, left), (right, bottom), (top, right)][quarters]
      return ScreenRectangle(x: x, y: y, width: size.width, height: size.height)
    }
  }

  private static func hang(_ rectangles: [ScreenRectangle]) -> Bool {
    var reached = [rectangles[0]]
    var rest = rectangles.dropFirst()
    while let next = rest.firstIndex(where: { one in
      reached.contains { $0.touches(one) || $0.overlaps(one) }
    }) {
      reached.append(rest.remove(at: next))
    }
    return rest.isEmpty
  }
}

extension PictureSize {
  init(_ rectangle: ScreenRectangle) {
    self.init(width: rectangle.width, height: rectangle.height)
  }

  fileprivate func turned(_ turn: DisplayTransform) -> Self { turn.swapsSides ? onItsSide : self }
}
