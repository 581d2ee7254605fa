// SPDX-License-Identifier: MIT

/// Where gravity points, how quickly that moves in the plane of the screen, and how much else is measured.
///
/// Without a gyroscope, gravity is what the accelerometer says at this moment. With one it is turned as the device
/// turns, and drawn to the accelerometer the more slowly the more that is shaken.
struct GravityTracker {
  /// m/s².
  private(set) var gravity = Vector.zero
  /// Low-passed: must agree before evidence counts.
  private(set) var steady = Vector.zero
  /// Running mean of the square of what is measured and is not gravity, (m/s²)².
  private(set) var noise = 0.0
  /// Low-passed speed of gravity in the plane of the screen, radians a second: positive from normal to left-up.
  private(set) var spin = 0.0
  /// By how much the spin lessens, radians a second each second; low-passed.
  private(set) var slowing = 0.0
  /// What a gyroscope tells of a device that does not turn, rad/s.
  private(set) var bias = Vector.zero
  /// Seconds of samples with a rate since the last without.
  private var rated = 0.0
  private var formerRate = Vector.zero

  /// After a gap.
  mutating func begin(_ a: Vector) {
    let bias = bias
    self = Self()
    self.bias = bias
    gravity = a
    steady = a
  }

  /// - Parameter other: the mean square of what is measured and is not gravity, (m/s²)².
  mutating func add(_ a: Vector, other: Double, dt: Double, _ numbers: JudgeNumbers) {
    rated = 0
    noise += share(dt, numbers.noiseTime) * (other - noise)
    note(Self.turn(from: gravity, to: a) / dt, dt, numbers)
    gravity = a
    steady += share(dt, numbers.steadyTime) * (gravity - steady)
  }

  /// - Parameter rate: rad/s, as measured.
  mutating func add(_ a: Vector, rate measured: Vector, dt: Double, _ numbers: JudgeNumbers) {
    let rate = measured - bias
    let mean = rated > 0 ? (rate + formerRate) / 2 : rate
    formerRate = rate
    rated += dt
    let turned = Self.turn(gravity, by: mean, dt)
    let rest = a - turned
    let excess = min(rest.squared, Self.largestDeviation * Self.largestDeviation) / 3
    noise += share(dt, numbers.noiseTime) * (excess - noise)
    let slowness = numbers.gravityTime * (1 + numbers.gravityTimePerNoise * noise)
    gravity = turned + share(dt, min(slowness, rated)) * rest
    note(Self.speed(of: gravity, by: rate), dt, numbers)
    learnBias(from: turned, rest, dt)
    steady += share(dt, numbers.steadyTime) * (gravity - steady)
  }

  /// What the accelerometer corrects again and again in the same direction is the gyroscope's bias (the integral term of
  /// Mahony, Hamel and Pflimlin, IEEE Trans. Automatic Control 53(5), 2008).
  private mutating func learnBias(from turned: Vector, _ rest: Vector, _ dt: Double) {
    let part = Self.biasShare * min(dt, 0.1) / (1 + noise)
    let next = bias + part * turned.cross(rest) / turned.squared
    if next.squared < Self.largestBias { bias = next }
  }

  private mutating func note(_ speed: Double, _ dt: Double, _ numbers: JudgeNumbers) {
    let former = abs(spin)
    spin += share(dt, numbers.spinTime) * (speed - spin)
    slowing += share(dt, numbers.slowingTime) * ((former - abs(spin)) / dt - slowing)
  }

  /// How far gravity will have moved in the plane of the screen after some time: a spin that slows down goes no
  /// further than its braking takes.
  /// - Returns: radians, in the direction of the spin.
  func reach(in seconds: Double, _ numbers: JudgeNumbers) -> Double {
    let far = spin * seconds
    guard slowing > 0 else { return far }
    let braking = spin * spin / (2 * numbers.braking * slowing)
    return abs(far) <= braking ? far : (far < 0 ? -braking : braking)
  }

  /// Sine of the angle between two accelerations, in the plane of the screen.
  private static func turn(from before: Vector, to after: Vector) -> Double {
    let lengths = before.squaredInPlane * after.squaredInPlane
    guard lengths > 0 else { return 0 }
    return (before.x * after.y - before.y * after.x) / lengths.squareRoot()
  }

  /// Length is kept: a step of the second order, and the rest by scaling.
  static func turn(_ u: Vector, by rate: Vector, _ dt: Double) -> Vector {
    let first = rate.cross(u) * -dt
    let turned = u + first + rate.cross(first) * (-dt / 2)
    let lengths = u.squared / turned.squared
    return lengths.isFinite ? turned * lengths.squareRoot() : u
  }

  private static func speed(of u: Vector, by rate: Vector) -> Double {
    guard u.squaredInPlane > 0 else { return 0 }
    let motion = -rate.cross(u)
    return (u.x * motion.y - u.y * motion.x) / u.squaredInPlane
  }

  /// m/s². A quick turn about an axis beside the sensor shows 10 and more; were it counted in full, the judge would
  /// go on waiting long after the hand has come to rest.
  private static let largestDeviation = 5.4
  /// Of the correction, each second.
  private static let biasShare = 0.3
  /// (0.35 rad/s)²: gyroscopes are off by a few hundredths.
  private static let largestBias = 0.12
}
