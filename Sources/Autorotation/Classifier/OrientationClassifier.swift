// SPDX-License-Identifier: MIT

import func Glibc.atan2

/// Classifies the device orientation from timestamped samples of the accelerometer, and of the gyroscope if there is
/// one.
///
/// A decision needs evidence, and three things determine its weight at each moment. First, how much besides gravity was
/// measured recently: the dwell stretches from one sample in a quiet hand to half a second on a bumpy road. Second, how
/// far the device has rotated, including what its speed will add. Third, where that speed leads: a device that will
/// leave the quarter again at once is only passing through.
///
///     quiet rotation    normal ──────╱ 50° and on its way ▁│ left-up       (as a rule 0.1 s after the diagonal)
///     slow rotation     normal ──────╱ 64° and at rest ▁▁▁▁│ left-up       (in a quiet hand; the further the sooner)
///     tilt and back     normal ──────╱ 48° ╲────────────────  normal      (62° is neither reached nor foreseen)
///     glimpse           normal ──────╱ 70° ╲╱ swings back ──  normal      (the speed turns round; evidence is lost)
///     bump              normal ──▚▚▚▚▚▚▚▚▚▚────────────────  normal      (evidence is worth little for a while)
///     rotation, shaken  normal ──╱▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚│ left-up       (the mean is there for 0.5 s)
///     half rotation     normal ──────╱ 90° at speed ╱ 180° ▁│ bottom-up    (the quarter between is skipped)
///     laid on a table   left-up ─────╲ 27° flat ────────────  left-up is kept, face-up is reported
///
/// A gyroscope changes none of that, but measures earlier and more reliably where gravity points and how quickly it
/// moves: a quiet rotation is then decided at the diagonal. It is used once it has proved itself
/// (`GyroscopeFaultCheck`), and unless the device is carried in a pocket (`CarriedDetector`).
///
/// The state is the direction of gravity in the device's frame, u, with du/dt = −w × u; the gyroscope measures w with a
/// bias, the accelerometer u plus whatever else accelerates the device. Estimated are u, the bias, and the variance of
/// that remainder; the decision uses nothing else. A complementary filter of one constant suffices: gravity fixes two
/// of the three angles, heading is irrelevant, and a decision 45° away from its neighbours tolerates an error of some
/// degrees. Mahony, Hamel and Pflimlin (2008) prove such a filter stable with the bias as its integral term; VQF
/// (Laidig and Seel, 2023) gains its accuracy by filtering in an inertial frame for longer than a rotation takes, too
/// long for a decision within a tenth of a second.
///
/// It accepts any rate from 4 to 100 Hz. A gap of more than a second resets the filters but keeps the orientation.
/// docs/benchmarks.md compares it with its peers, docs/classifier.md shows the effect of each constant.
package struct OrientationClassifier: Sendable {
  /// The last decision; flat phases keep it. `unknown` before the first decision.
  package private(set) var uprightOrientation = DeviceOrientation.unknown

  /// A factor of every dwell.
  private let caution: Double
  private var isFlat = true
  /// A decision needs evidence of 1.
  private var candidate: (orientation: DeviceOrientation, evidence: Double)?
  private var tracker = GravityTracker()
  private var resting = RestingMagnitude()
  private var lasting = LastingOrientation()
  private var gyroscope = GyroscopeFaultCheck()
  private var range = GyroscopeRange()
  private var carried = CarriedDetector()
  private var recentMotion = RecentMotion()
  private var lastSample: Instant?
  private var lastRate: (value: Vector, at: Instant)?

  /// How close the steady cotangent moves to that of the diagonal itself.
  private var haste: Double { 1 - min(1, caution) }

  /// - Parameter caution: 1 in the product. Less decides sooner and errs more often; more does the opposite. The
  ///   benchmark varies it, to compare with peers at the same delay.
  package init(caution: Double = 1) {
    self.caution = caution
  }

  /// The device orientation: `uprightOrientation`, or which face is up.
  package var orientation: DeviceOrientation {
    guard isFlat, lastSample != nil else { return uprightOrientation }
    return tracker.gravity.z > 0 ? .faceUp : .faceDown
  }

  /// The orientation that a rotation may be heading for, and how much of the evidence there is, 0…1.
  package var tendency: (orientation: DeviceOrientation, share: Double)? {
    candidate.map { ($0.orientation, min(1, $0.evidence)) }
  }

  /// Whether a rotation may come soon, so that samples should come quickly.
  package func needsFollowing(at now: Instant) -> Bool {
    lastSample == nil || recentMotion.isRecent(at: now)
  }

  /// Whether to report to the user that the gyroscope measures rotations that do not happen, or misses some.
  package var hasWrongGyroscope: Bool { gyroscope.isFaulty }

  /// Whether the gyroscope shows that the device is in a pocket, a bag or a swinging arm.
  package var isCarried: Bool { carried.isCarried }

  /// Whether there is a gyroscope's rate that can still be true.
  package var hasRate: Bool { lastRate != nil }

  /// Whether the gyroscope has proved itself, and whether its rates predicted a wrong direction of gravity.
  package var gyroscopeTrust: (isTrusted: Bool, isContradicted: Bool) {
    (gyroscope.isTrusted, gyroscope.isContradicted)
  }

  /// Whether a sample can be a measurement. Dead sensors deliver zeros, broken ones absurd values.
  package static func isPlausible(_ a: Acceleration) -> Bool {
    let magnitude = a.magnitude
    return magnitude > 0 && magnitude < maximumMagnitude
  }

  /// Adds a sample. Implausible samples, and those not later than the last, change nothing.
  /// - Returns: whether `uprightOrientation` has changed.
  package mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    let a = sample.acceleration
    guard Self.isPlausible(a), let dt = advance(to: now, with: a) else { return false }
    let before = uprightOrientation
    let constants = follow(sample, dt, now)
    updateFlatness()
    if isFlat {
      candidate = nil
    } else {
      weigh(dt, constants)
    }
    if let lasting = lasting.add(a, dt: dt, current: uprightOrientation) { decide(lasting) }
    recentMotion.update(
      tracker.steady, noise: tracker.noise, hasEvidence: candidate?.evidence ?? 0 > 0, at: now)
    return uprightOrientation != before
  }

  /// - Returns: seconds since the last sample, or `nil` if the clock did not advance.
  private mutating func advance(to now: Instant, with a: Vector) -> Double? {
    defer { lastSample = max(lastSample ?? now, now) }
    let dt = lastSample.map { now.seconds(since: $0) } ?? .infinity
    guard dt > 0 else { return nil }
    guard dt > Self.maximumGap else { return dt }
    begin(a)
    return Self.firstStep
  }

  private mutating func begin(_ a: Vector) {
    tracker.begin(a)
    resting.begin()
    lasting.begin(a)
    gyroscope.begin()
    candidate = nil
  }

  /// - Returns: the constants for the sensor that was used.
  private mutating func follow(_ sample: MotionSample, _ dt: Double, _ now: Instant) -> ClassifierConstants {
    let a = sample.acceleration
    let magnitudes = sample.magnitudes ?? .init(mean: a.magnitude, meanSquare: a.squared)
    resting.add(magnitudes.mean, dt: dt)
    let measured = newestRate(sample, now)
    let rate = measured.map { $0 - tracker.bias }
    if let measured, let rate { check(measured, rate, with: a, dt) }
    if let rate, gyroscope.isTrusted, !carried.isCarried {
      tracker.add(a, rate: rate * gyroscope.gain, isInRange: !range.isExceeded, dt: dt)
      return .gyroscope
    }
    tracker.add(a, other: resting.deviation(of: magnitudes), dt: dt)
    return .accelerometer
  }

  private mutating func check(_ measured: Vector, _ rate: Vector, with a: Vector, _ dt: Double) {
    let excess = a.magnitude - RestingMagnitude.gravity
    carried.add(excess: excess, rate: rate, dt: dt)
    range.add(measured)
    if range.isExceeded {
      gyroscope.begin()
    } else {
      gyroscope.add(a, excess: excess, rate: rate, dt: dt)
    }
  }

  /// The newest rate, for as long as it can still be true.
  private mutating func newestRate(_ sample: MotionSample, _ now: Instant) -> Vector? {
    if let rate = sample.rate {
      lastRate = rate.squared < Self.maximumRate * Self.maximumRate ? (rate, now) : nil
    } else if let lastRate, now.seconds(since: lastRate.at) > Self.maximumRateAge {
      self.lastRate = nil
    }
    return lastRate?.value
  }

  private mutating func updateFlatness() {
    let (inPlane, whole) = (tracker.gravity.squaredInPlane, tracker.gravity.squared)
    if inPlane > ClassifierConstants.leaveFlat * whole {
      isFlat = false
    } else if inPlane < ClassifierConstants.enterFlat * whole {
      isFlat = true
    }
  }

  // MARK: Evidence

  /// Collects evidence for gravity's quadrant, and decides.
  private mutating func weigh(_ dt: Double, _ constants: ClassifierConstants) {
    let quadrant = DeviceOrientation(nearestTo: tracker.gravity)
    guard quadrant != uprightOrientation else {
      candidate = nil
      return
    }
    var current = (orientation: quadrant, evidence: 0.0)
    if let candidate, candidate.orientation == quadrant { current = candidate }
    if let weight = weight(of: quadrant, constants) {
      current.evidence += min(dt, ClassifierConstants.maximumStep) / dwell(weight, constants)
    } else {
      current.evidence = 0
    }
    candidate = current
    if current.evidence >= 1 { decide(quadrant) }
  }

  private mutating func decide(_ orientation: DeviceOrientation) {
    uprightOrientation = orientation
    candidate = nil
  }

  /// Seconds of moments like this that a decision needs.
  private func dwell(_ weight: Double, _ constants: ClassifierConstants) -> Double {
    guard weight > 0 else { return .infinity }
    // The more a screen leans back, the less gravity lies in its plane, and the further the same noise rotates it.
    let lean = tracker.gravity.squared / tracker.gravity.squaredInPlane
    return caution * (ClassifierConstants.quietDwell + constants.dwellPerNoise * tracker.noise * lean)
      / weight
  }

  /// The weight of this moment as evidence for `other`: 0 is none, `nil` discards all earlier evidence.
  private func weight(of other: DeviceOrientation, _ constants: ClassifierConstants) -> Double? {
    guard uprightOrientation != .unknown, uprightOrientation.quarters(to: other) != 2 else {
      return DeviceOrientation(nearestTo: tracker.steady) == other ? 1 : 0
    }
    let angle = atan2(other.component(of: tracker.gravity), uprightOrientation.component(of: tracker.gravity))
    let direction = uprightOrientation.quarters(to: other) == 1 ? 1.0 : -1.0
    let beyond = angle + direction * tracker.predictedAngle(in: constants.lead) - constants.rotatedEnough
    // A device that has rotated enough keeps its evidence, even if the speed of one moment points back.
    guard beyond > 0 else { return angle > constants.rotatedEnough ? 0 : nil }
    let foresight = constants.foresight * (1 - haste).squareRoot()
    let isPassing = angle + direction * tracker.predictedAngle(in: foresight) > constants.nextDiagonal
    guard !isPassing, isConfirmedByLowPass(other, constants) else { return 0 }
    return beyond / constants.clearlyBeyond
  }

  private func isConfirmedByLowPass(_ other: DeviceOrientation, _ constants: ClassifierConstants) -> Bool {
    let there = other.component(of: tracker.steady)
    let ratio = constants.steadyRatio + haste * (1 - constants.steadyRatio)
    return there > 0 && uprightOrientation.component(of: tracker.steady) < ratio * there
  }

  /// m/s². The widest range of the usual accelerometers is ±16 g.
  private static let maximumMagnitude = 280.0
  /// rad/s. The widest range of the usual gyroscopes is ±2000° a second, which is 35, on each of three axes.
  private static let maximumRate = 61.0
  /// Seconds that the first sample counts: next to none, but not 0, since it is a divisor.
  private static let firstStep = 1e-4
  /// Seconds. After a longer gap the filters start over.
  private static let maximumGap = 1.0
  /// Seconds for which a rate is used without a newer one: at 50 Hz one sample may lack a rate. A hand's speed changes
  /// too much within 0.1 s.
  private static let maximumRateAge = 0.03
}
