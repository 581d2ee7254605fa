// SPDX-License-Identifier: MIT

/// The |a| of this sensor at rest: sensors are off by several per cent, and such a sensor would seem to shake forever.
///
/// Learned while |a| hardly changes and is near g.
struct RestingMagnitude {
  /// m/s².
  private(set) var value = Self.gravity
  private var mean = 0.0
  private var variance = 0.0
  private var age = 0.0

  /// After a gap.
  mutating func begin() {
    age = 0
  }

  /// - Parameter magnitude: |a|, m/s².
  mutating func add(_ magnitude: Double, dt: Double) {
    if age == 0 { (mean, variance) = (magnitude, 1) }
    age += dt
    let weight = share(dt, Self.window)
    let difference = magnitude - mean
    mean += weight * difference
    variance += weight * (difference * difference - variance)
    guard variance < Self.restVariance, Self.isPlausible(mean) else { return }
    value += share(dt, Self.time) * (mean - value)
  }

  /// Whether a sensor may show that much at rest, m/s².
  static func isPlausible(_ magnitude: Double) -> Bool { abs(magnitude - gravity) < maximumOffset }

  /// The mean square of how far |a| is from it, (m/s²)².
  func deviation(of magnitudes: MotionSample.Magnitudes) -> Double {
    let square = magnitudes.meanSquare - 2 * value * magnitudes.mean + value * value
    return min(max(0, square), Self.maximumDeviation)
  }

  /// (4 m/s²)². A quick rotation about an axis away from the sensor shows 10 and more; without the limit, the classifier
  /// would still be waiting long after the hand has come to rest.
  static let maximumDeviation = 16.0
  /// Standard gravity, m/s² (CGPM 1901).
  static let gravity = 9.80665
  /// Seconds.
  private static let window = 1.0
  private static let time = 2.0
  /// (m/s²)²; a device that is held still.
  static let restVariance = 0.03
  /// m/s². More than the 6 % of a real sensor hub, and less than a broken sensor.
  private static let maximumOffset = 1.3
}
