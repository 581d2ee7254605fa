// SPDX-License-Identifier: MIT

// The four upright orientations as directions in the plane of the screen.
extension DeviceOrientation {
  /// The nearest.
  init(pointing gravity: Vector) {
    if abs(gravity.y) >= abs(gravity.x) {
      self = gravity.y < 0 ? .normal : .bottomUp
    } else {
      self = gravity.x > 0 ? .leftUp : .rightUp
    }
  }

  /// The component of gravity along the edge that is up, m/s².
  func along(_ gravity: Vector) -> Double {
    switch self {
    case .normal: -gravity.y
    case .bottomUp: gravity.y
    case .leftUp: gravity.x
    case .rightUp: -gravity.x
    case .faceUp, .faceDown, .unknown: 0
    }
  }

  func isOpposite(_ other: Self) -> Bool {
    switch (self, other) {
    case (.normal, .bottomUp), (.bottomUp, .normal), (.leftUp, .rightUp), (.rightUp, .leftUp): true
    default: false
    }
  }

  /// Whether `other` is the neighbour that a positive spin leads to.
  func isFollowed(by other: Self) -> Bool {
    switch (self, other) {
    case (.normal, .leftUp), (.leftUp, .bottomUp), (.bottomUp, .rightUp), (.rightUp, .normal): true
    default: false
    }
  }
}
