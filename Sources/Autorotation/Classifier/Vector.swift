// SPDX-License-Identifier: MIT

/// Three axes as one value: an acceleration, an angular rate, or what is computed from them.
typealias Vector = SIMD3<Double>

extension SIMD3<Double> {
  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
  /// Its length; of an acceleration in m/s².
  package var magnitude: Double { squared.squareRoot() }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var squared: Double { dot(self) }

  var squaredInPlane: Double { x * x + y * y }
}

/// The share of a new sample in a running mean: an exponential low-pass filter for samples at any interval.
/// - Parameters:
///   - dt: seconds since the last sample.
///   - time: seconds; the time constant.
func share(_ dt: Double, _ time: Double) -> Double { dt / (time + dt) }

// The four upright orientations as directions in the plane of the screen.
extension DeviceOrientation {
  /// The upright orientation nearest to this direction of gravity.
  init(nearestTo gravity: Vector) {
    if abs(gravity.y) >= abs(gravity.x) {
      self = gravity.y < 0 ? .normal : .bottomUp
    } else {
      self = gravity.x > 0 ? .leftUp : .rightUp
    }
  }

  /// The component of gravity that points away from the edge that is up in this orientation, m/s²; negative if the
  /// device is upside down to it.
  func component(of gravity: Vector) -> Double {
    switch self {
    case .normal: -gravity.y
    case .bottomUp: gravity.y
    case .leftUp: gravity.x
    case .rightUp: -gravity.x
    case .faceUp, .faceDown, .unknown: 0
    }
  }

  /// Quarter turns in the direction of a positive `GravityTracker.spin`; `nil` if one of them is flat or unknown.
  func quarters(to other: Self) -> UInt8? {
    guard let start = InterfaceOrientation(self), let end = InterfaceOrientation(other) else { return nil }
    return (end.rawValue &- start.rawValue) & 3
  }
}
