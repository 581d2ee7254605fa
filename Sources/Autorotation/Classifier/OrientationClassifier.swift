// SPDX-License-Identifier: MIT

import func Glibc.atan2

/// Classifies the device orientation from timestamped samples of the accelerometer, and of the gyroscope where there is
/// one.
///
/// A rotation needs evidence, and three things weigh each moment of it. First, how much has lately been measured that is
/// not gravity: the dwell stretches from one sample in a quiet hand to half a second on a bumpy road. Second, how far
/// the device has rotated, including what its speed will add. Third, where that speed leads: a device that will leave the
/// quarter again at once is only passing through.
///
///     quiet rotation    normal ──────╱ 50° and on its way ▁│ left-up       (as a rule 0.1 s after the diagonal)
///     slow rotation     normal ──────╱ 64° and at rest ▁▁▁▁│ left-up       (in a quiet hand; the further the sooner)
///     tilt and back     normal ──────╱ 48° ╲────────────────  normal      (62° is not reached, nor in sight)
///     glimpse           normal ──────╱ 70° ╲╱ swings back ──  normal      (what is in sight shrinks; evidence goes)
///     bump              normal ──▚▚▚▚▚▚▚▚▚▚────────────────  normal      (evidence is worth little for a while)
///     rotation, shaken  normal ──╱▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚│ left-up       (on the average there for 0.5 s)
///     half rotation     normal ──────╱ 90° at speed ╱ 180° ▁│ bottom-up    (the quarter between is passed over)
///     laid on a table   left-up ─────╲ 27° flat ────────────  left-up is kept, face-up is reported
///
/// A gyroscope changes none of that, but shows sooner and more surely where gravity is and how quickly it moves: the
/// quiet rotation is then decided at the diagonal. It is used once it has proved that it reports what the accelerometer
/// shows (`GyroscopeFaultCheck`), and while the device is not carried in a pocket (`CarriedDetector`).
///
/// The state is the direction of gravity in the device's frame, u, with du/dt = −w × u; the gyroscope measures w with a bias, the
/// accelerometer u plus whatever else accelerates the device. Estimated are u, the bias, and the variance of that remainder,
/// which is all that the decision weighs. A complementary filter of one constant suffices: gravity fixes two of the three
/// angles, heading plays no part, and a decision 45° away from its neighbours forgives an error of some degrees. Mahony,
/// Hamel and Pflimlin (2008) prove such a filter stable with the bias as its integral term; VQF (Laidig and Seel, 2023)
/// gains its accuracy by filtering in an inertial frame for longer than a rotation takes, which a decision within a tenth
/// of a second cannot wait for.
///
/// It accepts any rate from 4 to 100 Hz. A gap of more than a second resets the filters but keeps the orientation.
/// docs/benchmarks.md compares it with its peers, docs/classifier.md shows what each constant is for.
package struct OrientationClassifier: Sendable {
  /// Upright orientation decided last; flat phases keep it. `unknown` before the first decision.
  package private(set) var held = DeviceOrientation.unknown

  private let tuning: Tuning
  private var isFlat = true
  private var candidate: Candidate?
  private var tracker = GravityTracker()
  private var resting = RestingMagnitude()
  private var lasting = LastingOrientation()
  private var gyroscope = GyroscopeFaultCheck()
  private var range = GyroscopeRange()
  private var carried = CarriedDetector()
  private var usesGyroscope = false
  private var restlessness = Restlessness()
  private var lastSample: Instant?
  private var lastRate: (value: Vector, at: Instant)?

  private struct Candidate {
    let orientation: DeviceOrientation
    /// 1 is enough.
    var evidence = 0.0
  }

  /// What may differ from one classifier to another.
  private struct Tuning {
    /// A factor of every dwell.
    let caution: Double
    /// A factor of the foresight.
    let farsightedness: Double
    /// How near the steady cotangent comes to that of the diagonal itself.
    let haste: Double

    init(caution: Double) {
      self.caution = caution
      haste = 1 - min(1, caution)
      farsightedness = (1 - haste).squareRoot()
    }
  }

  /// - Parameter caution: 1 in the product. Less decides sooner and errs more often; more does the opposite. The
  ///   benchmark varies it, to compare with peers at their own delay.
  package init(caution: Double = 1) {
    tuning = Tuning(caution: caution)
  }

  /// All seven, as UIKit names them: what `held` says, or which face is up.
  package var orientation: DeviceOrientation {
    guard isFlat, lastSample != nil else { return held }
    return tracker.gravity.z > 0 ? .faceUp : .faceDown
  }

  /// The orientation that a turn may be heading for, and how much of the evidence for it is there, 0…1.
  package var tendency: (orientation: DeviceOrientation, share: Double)? {
    candidate.map { ($0.orientation, min(1, $0.evidence)) }
  }

  /// Whether a rotation might come soon, so that samples should come quickly.
  package func wantsFollowing(at now: Instant) -> Bool {
    lastSample == nil || restlessness.isRecent(at: now)
  }

  /// Whether the gyroscope has reported rotations that did not happen, or has missed some, so that the user should know.
  package var hasWrongGyroscope: Bool { gyroscope.isFaulty }

  /// How far the gyroscope is used.
  package enum GyroscopeUse: String, Sendable {
    /// There is no rate.
    case absent
    /// It has not proved itself, or does not report what the accelerometer shows in motion.
    case unproven
    /// It predicted wrongly where gravity pointed after a rotation.
    case contradicted
    /// It is right, but the device is carried.
    case carried
    case used
  }

  /// Whether the device is in a pocket, a bag or a swinging arm, as far as a gyroscope shows.
  package var isCarried: Bool { carried.isCarried }

  package var gyroscopeUse: GyroscopeUse {
    if lastRate == nil { return .absent }
    if gyroscope.isContradicted { return .contradicted }
    if !gyroscope.isTrusted { return .unproven }
    return usesGyroscope ? .used : .carried
  }

  /// Whether a sample can be a measurement at all. Dead sensors deliver zeros, broken ones absurd values.
  package static func isPlausible(_ a: Acceleration) -> Bool {
    let magnitude = a.magnitude
    return magnitude > 0 && magnitude < highestMagnitude
  }

  private static func isPlausible(_ rate: AngularRate) -> Bool {
    Vector(rate).squared < highestRate * highestRate
  }

  /// Adds a sample. Implausible ones, and those that are not later than the last, change nothing.
  /// - Returns: whether `held` has changed.
  package mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
    let a = Vector(sample.acceleration)
    guard Self.isPlausible(sample.acceleration), let dt = advance(to: now, with: a) else { return false }
    let before = held
    let constants = follow(sample, dt, now)
    updateFlatness()
    if isFlat {
      candidate = nil
    } else {
      weigh(dt, constants)
    }
    if let lasting = lasting.add(a, dt: dt, current: held) { decide(lasting) }
    restlessness.note(
      tracker.steady, noise: tracker.noise, isTurned: isTurned, hasEvidence: candidate?.evidence ?? 0 > 0,
      at: now)
    return held != before
  }

  /// - Returns: seconds since the last sample, or `nil` if the clock did not move on.
  private mutating func advance(to now: Instant, with a: Vector) -> Double? {
    defer { lastSample = max(lastSample ?? now, now) }
    guard let lastSample else {
      begin(a)
      return Self.firstStep
    }
    let dt = now.seconds(since: lastSample)
    guard dt > 0 else { return nil }
    guard dt > Self.longestGap else { return dt }
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

  /// - Returns: the constants for what was measured.
  private mutating func follow(_ sample: MotionSample, _ dt: Double, _ now: Instant) -> ClassifierConstants {
    let a = Vector(sample.acceleration)
    let magnitudes = sample.magnitudes ?? .init(mean: a.length, meanSquare: a.squared)
    resting.add(magnitudes.mean, dt: dt)
    let measured = newestRate(sample, now)
    let rate = measured.map { $0 - tracker.bias }
    if let measured, let rate { check(measured, rate, with: a, dt) }
    usesGyroscope = rate != nil && gyroscope.isTrusted && !carried.isCarried
    if usesGyroscope, let rate {
      tracker.add(a, rate: rate * gyroscope.gain, isKnown: !range.isExceeded, dt: dt)
      return .gyroscope
    }
    tracker.add(a, other: resting.deviation(of: magnitudes), dt: dt)
    return .accelerometer
  }

  private mutating func check(_ measured: Vector, _ rate: Vector, with a: Vector, _ dt: Double) {
    let excess = a.length - RestingMagnitude.gravity
    carried.add(excess: excess, rate: rate, dt: dt)
    range.add(measured)
    if range.isExceeded {
      gyroscope.begin()
    } else {
      gyroscope.add(a, excess: excess, rate: rate, dt: dt)
    }
  }

  /// The last one, if there is no newer, for as long as it can still be true.
  private mutating func newestRate(_ sample: MotionSample, _ now: Instant) -> Vector? {
    if let rate = sample.rate {
      lastRate = Self.isPlausible(rate) ? (Vector(rate), now) : nil
    } else if let lastRate, now.seconds(since: lastRate.at) > Self.longestRate {
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

  /// Collects evidence for the quadrant that gravity points to, and decides.
  private mutating func weigh(_ dt: Double, _ constants: ClassifierConstants) {
    let quadrant = DeviceOrientation(pointing: tracker.gravity)
    guard quadrant != held else {
      candidate = nil
      return
    }
    var current =
      candidate.flatMap { $0.orientation == quadrant ? $0 : nil } ?? Candidate(orientation: quadrant)
    if let weight = weight(of: quadrant, constants) {
      current.evidence += min(dt, ClassifierConstants.longestStep) / dwell(weight, constants)
    } else {
      current.evidence = 0
    }
    candidate = current
    if current.evidence >= 1 { decide(quadrant) }
  }

  private mutating func decide(_ orientation: DeviceOrientation) {
    held = orientation
    candidate = nil
  }

  /// How many seconds like this moment a decision needs.
  private func dwell(_ weight: Double, _ constants: ClassifierConstants) -> Double {
    guard weight > 0 else { return .infinity }
    // The more a screen leans back, the less gravity lies in its plane, and the further the same noise turns it.
    let lean = tracker.gravity.squared / tracker.gravity.squaredInPlane
    return tuning.caution * (ClassifierConstants.quietDwell + constants.dwellPerNoise * tracker.noise * lean)
      / weight
  }

  /// The evidence of this moment for `other`: 0 is none, `nil` discards all earlier evidence.
  private func weight(of other: DeviceOrientation, _ constants: ClassifierConstants) -> Double? {
    guard held != .unknown, !held.isOpposite(other) else {
      return DeviceOrientation(pointing: tracker.steady) == other ? 1 : 0
    }
    let angle = atan2(other.along(tracker.gravity), held.along(tracker.gravity))
    let direction = held.isFollowed(by: other) ? 1.0 : -1.0
    let beyond = angle + direction * tracker.reach(in: constants.lead) - constants.turnedEnough
    // A device that has rotated enough keeps its evidence, even if the speed of one moment says that it goes back.
    guard beyond > 0 else { return angle > constants.turnedEnough ? 0 : nil }
    let foresight = constants.foresight * tuning.farsightedness
    let isPassing = angle + direction * tracker.reach(in: foresight) > constants.nextDiagonal
    guard !isPassing, isSteadily(other, constants) else { return 0 }
    return beyond / constants.clearlyBeyond
  }

  /// Whether this has lasted for more than a moment.
  private func isSteadily(_ other: DeviceOrientation, _ constants: ClassifierConstants) -> Bool {
    let there = other.along(tracker.steady)
    let ratio = constants.steadyRatio + tuning.haste * (1 - constants.steadyRatio)
    return there > 0 && held.along(tracker.steady) < ratio * there
  }

  /// Whether gravity is more than 20° off the axis of what is held.
  private var isTurned: Bool {
    guard !isFlat, held != .unknown else { return !isFlat }
    let upright = held.along(tracker.gravity)
    return upright < 0 || upright * upright < Self.upright * tracker.gravity.squaredInPlane
  }

  /// m/s². The widest range of the usual accelerometers is ±16 g.
  private static let highestMagnitude = 280.0
  /// rad/s. The widest range of the usual gyroscopes is ±2000° a second, which is 35, on each of three axes.
  private static let highestRate = 61.0
  /// Seconds taken for the step before the first sample: none, but something to divide by.
  private static let firstStep = 1e-4
  /// Seconds. After a longer gap the filters start over.
  private static let longestGap = 1.0
  /// Seconds for which a rate without a successor is taken to go on: one sample at 50 Hz may lack one. A hand changes its
  /// speed by more than that helps within 0.1 s.
  private static let longestRate = 0.03
  /// cos² 20°.
  private static let upright = 0.883_022_2
}
