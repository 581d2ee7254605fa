// SPDX-License-Identifier: MIT

/// How large a picture is, in pixels.
struct PictureSize: Equatable, Sendable {
  var width: Int
  var height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init(width: Int32, height: Int32) {
    self.init(width: Int(width), height: Int(height))
  }

  var isSomething: Bool { width > 0 && height > 0 }

  var onItsSide: Self { Self(width: height, height: width) }
}
