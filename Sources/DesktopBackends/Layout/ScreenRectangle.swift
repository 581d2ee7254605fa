// SPDX-License-Identifier: MIT

/// A part of the desktop in its own pixels, y downwards.
struct ScreenRectangle: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var maxX: Int { x + width }
  var maxY: Int { y + height }
  var size: PixelSize { PixelSize(width: width, height: height) }

  func fits(width: Int, height: Int) -> Bool { x >= 0 && y >= 0 && maxX <= width && maxY <= height }

  /// The area of the intersection, in pixels.
  func commonArea(with other: Self) -> Int {
    let width = min(maxX, other.maxX) - max(x, other.x)
    let height = min(maxY, other.maxY) - max(y, other.y)
    return width > 0 && height > 0 ? width * height : 0
  }

  func overlaps(_ other: Self) -> Bool { commonArea(with: other) > 0 }

  /// Whether the two share a part of an edge, so that the pointer can cross it.
  func touches(_ other: Self) -> Bool {
    let sideBySide = (maxX == other.x || other.maxX == x) && y < other.maxY && other.y < maxY
    let stacked = (maxY == other.y || other.maxY == y) && x < other.maxX && other.x < maxX
    return sideBySide || stacked
  }

  /// Pixels between the two, the sum of both axes; 0 if they meet.
  func distance(to other: Self) -> Int {
    max(0, other.x - maxX, x - other.maxX) + max(0, other.y - maxY, y - other.maxY)
  }

  func moved(x: Int, y: Int) -> Self { Self(x: x, y: y, width: width, height: height) }

  /// - Parameters: pixels to the right and downwards.
  func offset(x: Int, y: Int) -> Self { moved(x: self.x + x, y: self.y + y) }
}

extension ScreenRectangle {
  /// The smallest rectangle that contains all.
  init(around rectangles: [Self]) {
    x = rectangles.map(\.x).min() ?? 0
    y = rectangles.map(\.y).min() ?? 0
    width = (rectangles.map(\.maxX).max() ?? 0) - x
    height = (rectangles.map(\.maxY).max() ?? 0) - y
  }
}

/// The size of a display or of its contents, in pixels.
struct PixelSize: Equatable, Sendable {
  var width: Int
  var height: Int

  /// Far more pixels than any display has; products of such sides do not overflow.
  static let maximumSide = 65535

  /// Whether a display can have this size. A compositor may report any.
  var isPlausible: Bool { (1...Self.maximumSide).contains(width) && (1...Self.maximumSide).contains(height) }

  var sidesSwapped: Self { Self(width: height, height: width) }
}

extension PixelSize {
  init(width: Int32, height: Int32) {
    self.init(width: Int(width), height: Int(height))
  }
}
