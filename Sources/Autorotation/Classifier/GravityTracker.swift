// SPDX-License-Identifier: MIT

/// Estimates the direction of gravity, its speed in the plane of the screen, and how much else is measured.
///
/// Without a gyroscope, gravity is the accelerometer's value, smoothed more the more it is shaken. With one, gravity is
/// rotated by the measured rate and corrected toward the accelerometer's value.
struct GravityTracker {
  /// m/s².
  private(set) var gravity = Vector.zero
  /// Low-passed; must agree with `gravity` before evidence is added.
  private(set) var steady = Vector.zero
  /// Running mean of the square of what is measured and is not gravity, (m/s²)².
  private(set) var noise = 0.0
  /// Speed of gravity in the plane of the screen, radians a second: positive from normal to left-up.
  private(set) var spin = 0.0
  /// Deceleration of the spin, radians a second each second, low-passed; 0 without a gyroscope, since the
  /// accelerometer cannot measure it.
  private(set) var deceleration = 0.0
  /// The rate that a gyroscope reports at rest, rad/s.
  private(set) var bias = Vector.zero
  /// Seconds of samples with a rate that gravity is the mean of, since the last sample without one. Short while an axis
  /// rotates more quickly than can be measured.
  private var rateSeconds = 0.0
  private var previousRate = Vector.zero

  /// After a gap.
  mutating func begin(_ a: Vector) {
    let bias = bias
    self = Self()
    self.bias = bias
    gravity = a
    steady = a
  }

  /// - Parameter other: the mean square of what is measured and is not gravity, (m/s²)².
  mutating func add(_ a: Vector, other: Double, dt: Double) {
    updateNoise(other, dt)
    let next = gravity + share(dt, Self.smoothing * noise) * (a - gravity)
    // The first step from the gyroscope's estimate to the accelerometer's is no movement.
    if rateSeconds == 0 {
      let speed = Self.sine(from: gravity, to: next) / dt
      spin += share(dt, Self.spinTime) * (speed - spin)
    }
    (rateSeconds, deceleration) = (0, 0)
    gravity = next
    updateSteady(dt)
  }

  /// - Parameters:
  ///   - rate: rad/s, without bias.
  ///   - isInRange: false if the rate is saturated.
  mutating func add(_ a: Vector, rate: Vector, isInRange: Bool, dt: Double) {
    let mean = rateSeconds > 0 ? (rate + previousRate) / 2 : rate
    previousRate = rate
    rateSeconds = isInRange ? rateSeconds + dt : ClassifierConstants.noiseTime
    let rotated = Self.rotate(gravity, by: mean, dt)
    let residual = a - rotated
    updateNoise(min(residual.squared / Double(Vector.scalarCount), RestingMagnitude.maximumDeviation), dt)
    gravity = rotated + share(dt, min(Self.time, rateSeconds)) * residual
    updateSpeed(Self.speed(of: gravity, by: rate), dt)
    if isInRange { learnBias(from: rotated, residual, dt) }
    updateSteady(dt)
  }

  /// A correction by the accelerometer that keeps its direction is the gyroscope's bias (the integral term of Mahony,
  /// Hamel and Pflimlin, IEEE Trans. Automatic Control 53(5), 2008).
  private mutating func learnBias(from rotated: Vector, _ residual: Vector, _ dt: Double) {
    bias += Self.biasShare * dt / (1 + noise) * rotated.cross(residual) / rotated.squared
  }

  private mutating func updateNoise(_ other: Double, _ dt: Double) {
    noise += share(dt, ClassifierConstants.noiseTime) * (other - noise)
  }

  private mutating func updateSteady(_ dt: Double) {
    steady += share(dt, ClassifierConstants.steadyTime) * (gravity - steady)
  }

  private mutating func updateSpeed(_ speed: Double, _ dt: Double) {
    let former = abs(spin)
    spin = speed
    deceleration += share(dt, ClassifierConstants.steadyTime) * ((former - abs(spin)) / dt - deceleration)
  }

  /// How far gravity will move in the plane of the screen within some time. A spin that slows down is limited to its
  /// stopping angle.
  /// - Returns: radians, in the direction of the spin.
  func predictedAngle(in seconds: Double) -> Double {
    let far = spin * seconds
    guard deceleration > 0 else { return far }
    let braking = spin * spin / (2 * Self.braking * deceleration)
    return abs(far) <= braking ? far : (far < 0 ? -braking : braking)
  }

  /// Sine of the angle between two accelerations, in the plane of the screen.
  private static func sine(from before: Vector, to after: Vector) -> Double {
    let lengths = before.squaredInPlane * after.squaredInPlane
    guard lengths > 0 else { return 0 }
    return (before.x * after.y - before.y * after.x) / lengths.squareRoot()
  }

  /// Keeps the length: a step of the second order, then scaled.
  static func rotate(_ u: Vector, by rate: Vector, _ dt: Double) -> Vector {
    let first = rate.cross(u) * -dt
    let rotated = u + first + rate.cross(first) * (-dt / 2)
    let lengths = u.squared / rotated.squared
    return lengths.isFinite ? rotated * lengths.squareRoot() : u
  }

  private static func speed(of u: Vector, by rate: Vector) -> Double {
    guard u.squaredInPlane > 0 else { return 0 }
    let motion = -rate.cross(u)
    return (u.x * motion.y - u.y * motion.x) / u.squaredInPlane
  }

  /// Seconds for each (m/s²)² of noise: vibration of an engine makes the speed of a single difference meaningless.
  private static let smoothing = 0.009
  /// Seconds. Smooths the speed that the accelerometer alone shows.
  private static let spinTime = 0.006
  /// The share of the present deceleration that is expected to last.
  private static let braking = 0.56
  /// Time constant, in seconds, of the correction by the accelerometer.
  private static let time = 1.0
  /// Share of the correction that goes to the bias, each second.
  private static let biasShare = 0.3
}

/// The |a| of this sensor at rest: sensors are off by several per cent, and such a sensor would seem to shake forever.
///
/// Learned while |a| hardly changes and is near g.
struct RestingMagnitude {
  /// m/s².
  private(set) var value = Self.gravity
  /// Of |a| over the last second; `nil` before the first sample and after a gap.
  private var recent: (mean: Double, variance: Double)?

  /// After a gap.
  mutating func begin() {
    recent = nil
  }

  /// - Parameter magnitude: |a|, m/s².
  mutating func add(_ magnitude: Double, dt: Double) {
    var (mean, variance) = recent ?? (magnitude, 1)
    let weight = share(dt, Self.window)
    let difference = magnitude - mean
    mean += weight * difference
    variance += weight * (difference * difference - variance)
    recent = (mean, variance)
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

  /// (4 m/s²)². A quick rotation about an axis away from the sensor shows 10 and more; without the limit, the
  /// classifier would still be waiting long after the hand has come to rest.
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
