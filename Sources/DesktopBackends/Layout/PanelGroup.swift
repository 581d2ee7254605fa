// SPDX-License-Identifier: MIT

import Autorotation

/// Panels that are built into one device and rotate as one body: after a quarter turn,
/// a panel below another is beside it.
struct PanelGroup: Equatable {
  /// The unrotated panels by name, relative to the upper left corner of the group.
  private let unrotated: [String: ScreenRectangle]

  /// - Returns: `nil` unless there are several panels with the same rotation and without gaps.
  init?(_ panels: [PlacedDisplay]) {
    guard let rotation = panels.first?.rotation, panels.count > 1,
      panels.allSatisfy({ $0.rotation == rotation }), Self.areConnected(panels.map(\.rectangle))
    else { return nil }
    let places = panels.map { ($0.name, $0.rectangle) }
    unrotated = Self.rotated(
      Dictionary(places) { first, _ in first }, quarters: (4 - Int(rotation.rawValue)) % 4)
  }

  /// The panels with a common rotation, relative to the upper left corner of the group.
  func rotated(_ rotation: DisplayTransform) -> [String: ScreenRectangle] {
    Self.rotated(unrotated, quarters: Int(rotation.rawValue))
  }

  /// Whether these are the same panels.
  func consists(of panels: [PlacedDisplay]) -> Bool {
    panels.count == unrotated.count
      && panels.allSatisfy { panel in
        unrotated[panel.name]?.size.rotated(panel.rotation) == panel.rectangle.size
      }
  }

  /// A `DisplayTransform` rotates anticlockwise on the panel, after the device was rotated clockwise.
  private static func rotated(
    _ places: [String: ScreenRectangle], quarters: Int
  ) -> [String: ScreenRectangle] {
    let whole = ScreenRectangle(around: Array(places.values))
    return places.mapValues { place in
      let (left, top) = (place.x - whole.x, place.y - whole.y)
      let (right, bottom) = (whole.maxX - place.maxX, whole.maxY - place.maxY)
      let size = quarters % 2 == 1 ? place.size.sidesSwapped : place.size
      let (x, y) = [(left, top), (bottom, left), (right, bottom), (top, right)][quarters]
      return ScreenRectangle(x: x, y: y, width: size.width, height: size.height)
    }
  }

  private static func areConnected(_ rectangles: [ScreenRectangle]) -> Bool {
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

extension PixelSize {
  func rotated(_ rotation: DisplayTransform) -> Self { rotation.swapsSides ? sidesSwapped : self }
}
