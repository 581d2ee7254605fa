// SPDX-License-Identifier: MIT

import Autorotation
import Peers

import func Foundation.sin

/// Random numbers that are the same in each run: SplitMix64 (Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Approximately a normal distribution with mean 0 and deviation 1.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return sum
  }

  /// The numbers of `Double.random(in: 0..<1, using: &self)`, which takes long in a build for debugging.
  private mutating func unit() -> Double { Double(next() & 0x1F_FFFF_FFFF_FFFF) * 0x1p-53 }
}

/// A scripted motion of a device, measured by an accelerometer with noise.
struct Motion {
  typealias Sample = (time: Double, a: Acceleration, rate: AngularRate?)

  static let g = 9.80665

  private(set) var samples: [Sample] = []
  /// The true `angle` and `tilt` of each sample.
  private(set) var poses: [(angle: Double, tilt: Double)] = []
  /// Seconds.
  private(set) var now = 0.0
  /// Degrees that the device is rotated clockwise from normal: 90 is left-up.
  private(set) var angle: Double
  /// Degrees that the screen leans back from upright: 90 is face-up.
  private(set) var tilt: Double

  /// Samples a second.
  var rate: Double
  /// Deviation of the noise of each axis, m/s².
  var noise = 0.05
  /// Metres from the axis of rotation up to the sensor: a sensor in the bezel of a lid also measures the centripetal
  /// acceleration.
  var arm = 0.0
  /// Converts the true rate to the measured one; `nil` without a gyroscope.
  var gyroscope: Gyroscope?
  /// Additional acceleration at a time, m/s².
  var shake: (Double) -> (x: Double, y: Double, z: Double) = { _ in (0, 0, 0) }
  private var random: SeededGenerator
  /// Present angular speed and acceleration, radians a second and radians a second each second.
  private var swing = (speed: 0.0, gain: 0.0)
  /// Speed of leaning back, radians a second.
  private var leaning = 0.0

  init(rate: Double, from angle: Double = 0, tilt: Double = 0, seed: UInt64 = 1) {
    self.rate = rate
    self.angle = angle
    self.tilt = tilt
    random = SeededGenerator(seed: seed)
  }

  /// The samples of the sensors.
  var measured: [(time: Double, sample: MotionSample)] {
    samples.map { ($0.time, MotionSample($0.a, rate: $0.rate)) }
  }

  var accelerations: [(time: Double, a: Acceleration)] { samples.map { ($0.time, $0.a) } }

  mutating func rest(_ seconds: Double) {
    move(to: angle, tilt: tilt, in: seconds)
  }

  /// Rotates with minimum jerk, as hands do (Flash and Hogan 1985).
  mutating func move(to target: Double, tilt newTilt: Double? = nil, in seconds: Double) {
    let (from, fromTilt, start) = (angle, tilt, now)
    while now - start < seconds - 1e-9 {
      let s = (now - start) / seconds
      let part = Self.minimumJerk(s)
      let rotation = (target - from) * .pi / 180
      swing = (
        speed: rotation / seconds * 30 * s * s * (1 - s) * (1 - s),
        gain: rotation / seconds / seconds * 60 * s * (1 - 3 * s + 2 * s * s)
      )
      leaning = ((newTilt ?? fromTilt) - fromTilt) * .pi / 180 / seconds * 30 * s * s * (1 - s) * (1 - s)
      measure(from + (target - from) * part, fromTilt + ((newTilt ?? fromTilt) - fromTilt) * part)
      now += 1 / rate
    }
    angle = target
    tilt = newTilt ?? tilt
  }

  mutating func pause(_ seconds: Double) {
    now += seconds
  }

  /// The time when a rotation by `angle` degrees that starts now and takes `seconds` passes `passed` degrees.
  func time(ofPassing passed: Double, of angle: Double, in seconds: Double) -> Double {
    let part = (0...10_000).first { Self.minimumJerk(Double($0) / 10_000) * angle >= passed } ?? 10_000
    return now + seconds * Double(part) / 10_000
  }

  private static func minimumJerk(_ s: Double) -> Double {
    s * s * s * (10 - 15 * s + 6 * s * s)
  }

  private mutating func measure(_ angle: Double, _ tilt: Double) {
    let (right, up) = Self.unit(angle)
    let (lying, upright) = Self.unit(tilt)
    let extra = shake(now)
    let a = Acceleration(
      x: Self.g * upright * right - arm * swing.gain + extra.x + noise * random.normal(),
      y: -Self.g * upright * up + arm * swing.speed * swing.speed + extra.y + noise * random.normal(),
      z: Self.g * lying + extra.z + noise * random.normal())
    samples.append((now, a, rate(angle)))
    poses.append((angle, tilt))
  }

  /// Gravity (sin angle · cos tilt, −cos angle · cos tilt, sin tilt) moves by −w × itself.
  private mutating func rate(_ angle: Double) -> AngularRate? {
    guard let gyroscope else { return nil }
    let (right, up) = Self.unit(angle)
    let noise = (0..<3).map { _ in 0.01 * random.normal() }
    let truth = AngularRate(
      x: leaning * up + noise[0], y: leaning * right + noise[1], z: -swing.speed + noise[2])
    return gyroscope.measure(truth, at: samples.count)
  }

  /// Sine and cosine of degrees.
  static func unit(_ degrees: Double) -> (sine: Double, cosine: Double) {
    let radians = degrees * .pi / 180
    return (sine(radians), sine(radians + .pi / 2))
  }
}

/// A gyroscope that is correct, or wrong in one way.
final class Gyroscope {
  enum Fault: CaseIterable {
    case none, nan, zeros, fullScale, halved, doubled, reversed, exchanged, biased, late, gaps, seldom
  }

  private let fault: Fault
  private var before: [AngularRate] = []

  init(_ fault: Fault = .none) {
    self.fault = fault
  }

  func measure(_ w: AngularRate, at number: Int) -> AngularRate? {
    before.append(w)
    return switch fault {
    case .none: w
    case .nan: AngularRate(x: .nan, y: w.y, z: w.z)
    case .zeros: AngularRate(x: 0, y: 0, z: 0)
    case .fullScale: AngularRate(x: 34.9, y: 34.9, z: 34.9)
    case .halved: AngularRate(x: w.x / 2, y: w.y / 2, z: w.z / 2)
    case .doubled: AngularRate(x: 2 * w.x, y: 2 * w.y, z: 2 * w.z)
    case .reversed: AngularRate(x: -w.x, y: -w.y, z: -w.z)
    case .exchanged: AngularRate(x: w.y, y: w.z, z: w.x)
    case .biased: AngularRate(x: w.x + 0.2, y: w.y - 0.2, z: w.z + 0.2)
    case .late: before[max(0, before.count - 11)]
    case .gaps: number / 25 % 3 == 0 ? nil : w
    // A quarter of the accelerometer's rate, and half of that for a while.
    case .seldom: number % (number / 500 % 2 == 0 ? 4 : 8) == 0 ? w : nil
    }
  }
}

/// The decisions of the classifier on a motion.
struct Classification {
  /// Each change of `uprightOrientation`.
  private(set) var changes: [(time: Double, to: DeviceOrientation)] = []
  private(set) var classifier = OrientationClassifier()

  init(_ motion: Motion) {
    for (time, sample) in motion.measured where classifier.add(sample, at: Instant(seconds: time)) {
      changes.append((time, classifier.uprightOrientation))
    }
  }

  var words: [DeviceOrientation] { changes.map(\.to) }
}

extension Motion {
  /// Each change of the orientation by a classifier or a peer's rule.
  func rotations(by rule: any OrientationRule) -> [(time: Double, to: DeviceOrientation)] {
    var rule = rule
    return measured.compactMap { time, sample in
      rule.add(sample, at: Instant(seconds: time)) ? (time, rule.uprightOrientation) : nil
    }
  }
}

extension OrientationRule {
  /// A sample of a device without a gyroscope.
  mutating func add(_ a: Acceleration, at now: Instant) -> Bool { add(MotionSample(a), at: now) }
}

extension Event {
  static func acceleration(_ a: Acceleration) -> Self { .motion(MotionSample(a)) }
}

func sine(_ radians: Double) -> Double { sin(radians) }
