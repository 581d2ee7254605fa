// SPDX-License-Identifier: MIT

/// Where gravity points, how quickly that moves in the plane of the screen, and how much else is measured.
///
/// Without a gyroscope, gravity is what the accelerometer shows, low-passed the more the more shakes. With one it rotates as
/// the device does, and is drawn to the accelerometer.
struct GravityTracker {
  /// m/s².
  private(set) var gravity = Vector.zero
  /// Low-passed: must agree before evidence counts.
  private(set) var steady = Vector.zero
  /// Running mean of the square of what is measured and is not gravity, (m/s²)².
  private(set) var noise = 0.0
  /// Speed of gravity in the plane of the screen, radians a second: positive from normal to left-up.
  private(set) var spin = 0.0
  /// By how much the spin lessens, radians a second each second, low-passed; 0 without a gyroscope, whose lack makes it
  /// guesswork.
  private(set) var slowing = 0.0
  /// What a gyroscope reports of a device that does not rotate, rad/s.
  private(set) var bias = Vector.zero
  /// Seconds of samples that gravity is the mean of: those with a rate since the last without. While an axis rotates more
  /// quickly than can be measured, hardly any.
  private var known = 0.0
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
  mutating func add(_ a: Vector, other: Double, dt: Double) {
    noteNoise(other, dt)
    let next = gravity + share(dt, Self.smoothing * noise) * (a - gravity)
    // The first step from the gyroscope's gravity to the accelerometer's is no movement.
    if known == 0 {
      let speed = Self.turn(from: gravity, to: next) / dt
      spin += share(dt, Self.spinTime) * (speed - spin)
    }
    (known, slowing) = (0, 0)
    gravity = next
    noteSteady(dt)
  }

  /// - Parameters:
  ///   - rate: rad/s, without bias.
  ///   - isKnown: whether it is how quickly each axis rotates, and not only the end of the gyroscope's range.
  mutating func add(_ a: Vector, rate: Vector, isKnown: Bool, dt: Double) {
    let mean = known > 0 ? (rate + formerRate) / 2 : rate
    formerRate = rate
    known = isKnown ? known + dt : ClassifierConstants.noiseTime
    let turned = Self.turn(gravity, by: mean, dt)
    let rest = a - turned
    noteNoise(min(rest.squared / Double(Vector.scalarCount), RestingMagnitude.largestDeviation), dt)
    gravity = turned + share(dt, min(Self.time, known)) * rest
    noteSpeed(Self.speed(of: gravity, by: rate), dt)
    if isKnown { learnBias(from: turned, rest, dt) }
    noteSteady(dt)
  }

  /// What the accelerometer corrects again and again in the same direction is the gyroscope's bias (the integral term of
  /// Mahony, Hamel and Pflimlin, IEEE Trans. Automatic Control 53(5), 2008).
  private mutating func learnBias(from turned: Vector, _ rest: Vector, _ dt: Double) {
    bias += Self.biasShare * dt / (1 + noise) * turned.cross(rest) / turned.squared
  }

  private mutating func noteNoise(_ other: Double, _ dt: Double) {
    noise += share(dt, ClassifierConstants.noiseTime) * (other - noise)
  }

  private mutating func noteSteady(_ dt: Double) {
    steady += share(dt, ClassifierConstants.steadyTime) * (gravity - steady)
  }

  private mutating func noteSpeed(_ speed: Double, _ dt: Double) {
    let former = abs(spin)
    spin = speed
    slowing += share(dt, ClassifierConstants.steadyTime) * ((former - abs(spin)) / dt - slowing)
  }

  /// How far gravity will have moved in the plane of the screen after some time: a spin that slows down goes no
  /// further than its braking takes.
  /// - Returns: radians, in the direction of the spin.
  func reach(in seconds: Double) -> Double {
    let far = spin * seconds
    guard slowing > 0 else { return far }
    let braking = spin * spin / (2 * Self.braking * slowing)
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

  /// Seconds for each (m/s²)² of noise: an engine's vibration makes the speed of a single difference meaningless.
  private static let smoothing = 0.009
  /// Seconds. Smooths the speed that the accelerometer alone shows.
  private static let spinTime = 0.006
  /// How much of the present slowing is believed in.
  private static let braking = 0.56
  /// Seconds in which the gyroscope's gravity is drawn to the accelerometer's.
  private static let time = 1.0
  /// Of the correction, each second.
  private static let biasShare = 0.3
}
