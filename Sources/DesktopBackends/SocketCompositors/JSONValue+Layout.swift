// SPDX-License-Identifier: MIT

import System

extension JSONValue? {
  /// A coordinate of the layout. No layout is larger; sums of such numbers do not overflow.
  var coordinate: Int { Swift.min(Swift.max(self?.int ?? 0, -(1 << 20)), 1 << 20) }
  /// A width or height in pixels.
  var extent: Int { Swift.max(0, coordinate) }
}

extension ScreenRectangle {
  /// - Parameter value: an object with members x, y, width and height.
  init(_ value: JSONValue?) {
    self.init(
      x: (value?["x"]).coordinate, y: (value?["y"]).coordinate, width: (value?["width"]).extent,
      height: (value?["height"]).extent)
  }
}
