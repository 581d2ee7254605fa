// SPDX-License-Identifier: MIT

/// Three axes as one value.
typealias Vector = SIMD3<Double>

extension SIMD3<Double> {
  init(_ a: Acceleration) { self.init(a.x, a.y, a.z) }
  init(_ w: AngularRate) { self.init(w.x, w.y, w.z) }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var squared: Double { dot(self) }
  var length: Double { squared.squareRoot() }

  /// Square of the component in the plane of the screen.
  var squaredInPlane: Double { x * x + y * y }
}

/// The share of a new sample in a running mean: an exponential low-pass filter for samples at any interval.
/// - Parameters:
///   - dt: seconds since the last sample.
///   - time: seconds; the time constant.
func share(_ dt: Double, _ time: Double) -> Double { dt / (time + dt) }
