// SPDX-License-Identifier: MIT

import func Glibc.atan2

/// Tells from timestamped samples of the accelerometer, and of the gyroscope where there is one, how the device is
/// held: the judge.
///
/// A turn needs evidence, and three things weigh each moment of it. First, how much has lately been measured that is
/// not gravity: the dwell stretches from one sample in a quiet hand to half a second on a bumpy road. Second, how far
/// the device has turned, including what its speed will add before it is braked. Third, where that speed leads: a device
/// that will leave the quarter again at once is only passing through.
///
///     quiet turn        normal ──────╱ 50° and on its way ▁│ left-up       (as a rule 0.1 s after the diagonal)
///     slow turn         normal ──────╱ 60° and at rest ▁▁▁▁│ left-up       (in a quiet hand; the further the sooner)
///     tilt and back     normal ──────╱ 48° ╲────────────────  normal      (59° is not reached, nor in sight)
///     glimpse           normal ──────╱ 70° ╲╱ swings back ──  normal      (what is in sight shrinks; evidence goes)
///     bump              normal ──▚▚▚▚▚▚▚▚▚▚────────────────  normal      (evidence is worth little for a while)
///     turn while shaken normal ──╱▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚▚│ left-up       (on the average there for 0.6 s)
///     half turn         normal ──────╱ 90° at speed ╱ 180° ▁│ bottom-up    (the quarter between is passed over)
///     laid on a table   left-up ─────╲ 27° flat ────────────  left-up is kept, face-up is reported
///
/// A gyroscope changes none of that, but tells sooner and more surely where gravity is and how quickly it moves
/// (`GravityTracker`): the quiet turn is then decided at the diagonal. It is believed as long as it tells what the
/// accelerometer shows (`GyroscopeCheck`).
///
/// It accepts any rate from 4 to 100 Hz. A gap of more than a second resets the filters but keeps what is shown.
/// docs/benchmarks.md compares it with its peers; `JudgeNumbers` explains the constants.
package struct OrientationClassifier: Sendable {
  /// Upright orientation decided last; flat phases keep it. `unknown` before the first decision.
  package private(set) var held = DeviceOrientation.unknown

  private let temper: Temper
  private var isFlat = true
  private var candidate: Candidate?
  private var tracker = GravityTracker()
  private var resting = RestingMagnitude()
  private var lasting = LastingHold()
  private var gyroscope = GyroscopeCheck()
  private var restlessness = Restlessness()
  private var lastSample: Instant?
  private var lastRate: (value: Vector, at: Instant)?

  private struct Candidate {
    let orientation: DeviceOrientation
    /// 1 is enough.
    var evidence = 0.0
  }

  /// What may differ from one judge to another.
  private struct Temper {
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
    temper = Temper(caution: caution)
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

  /// Whether the picture might turn soon, so that samples should come quickly.
  package func wantsFollowing(at now: Instant) -> Bool {
    lastSample == nil || restlessness.isRecent(at: now)
  }

  /// Whether there is a gyroscope that has contradicted the accelerometer for long enough to tell the person.
  package var hasWrongGyroscope: Bool { gyroscope.disagreed > Self.tellingDisagreement }

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
    let numbers = follow(sample, dt, now)
    updateFlatness()
    if isFlat {
      candidate = nil
    } else {
      weigh(dt, numbers)
    }
    if let lasting = lasting.add(a, dt: dt, held: held) { decide(lasting) }
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
    gyroscope.begin(a)
    candidate = nil
  }

  /// - Returns: the numbers to judge by: those for what was measured.
  private mutating func follow(_ sample: MotionSample, _ dt: Double, _ now: Instant) -> JudgeNumbers {
    let a = Vector(sample.acceleration)
    let magnitudes = sample.magnitudes ?? .init(mean: a.length, meanSquare: a.squared)
    resting.add(magnitudes.mean, dt: dt)
    if let rate = newestRate(sample, now) {
      gyroscope.add(a, rate: rate, bias: tracker.bias, dt: dt)
      if gyroscope.isTrusted {
        tracker.add(a, rate: rate, dt: dt, .gyroscope)
        return .gyroscope
      }
    }
    tracker.add(a, other: resting.deviation(of: magnitudes), dt: dt, .accelerometer)
    return .accelerometer
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
    if inPlane > JudgeNumbers.leaveFlat * whole {
      isFlat = false
    } else if inPlane < JudgeNumbers.enterFlat * whole {
      isFlat = true
    }
  }

  // MARK: Evidence

  /// Collects evidence for the quadrant that gravity points to, and decides.
  private mutating func weigh(_ dt: Double, _ numbers: JudgeNumbers) {
    let quadrant = DeviceOrientation(pointing: tracker.gravity)
    guard quadrant != held else {
      candidate = nil
      return
    }
    var current =
      candidate.flatMap { $0.orientation == quadrant ? $0 : nil } ?? Candidate(orientation: quadrant)
    if let weight = weight(of: quadrant, numbers) {
      current.evidence += min(dt, numbers.longestStep) / dwell(weight, numbers)
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
  private func dwell(_ weight: Double, _ numbers: JudgeNumbers) -> Double {
    guard weight > 0 else { return .infinity }
    // The more a screen leans back, the less gravity lies in its plane, and the further the same noise turns it.
    let lean = tracker.gravity.squared / tracker.gravity.squaredInPlane
    return temper.caution * (numbers.quietDwell + numbers.dwellPerNoise * tracker.noise * lean) / weight
  }

  /// The evidence of this moment for `other`: 0 is none, `nil` discards all earlier evidence.
  private func weight(of other: DeviceOrientation, _ numbers: JudgeNumbers) -> Double? {
    guard held != .unknown, !held.isOpposite(other) else {
      return DeviceOrientation(pointing: tracker.steady) == other ? 1 : 0
    }
    let angle = atan2(other.along(tracker.gravity), held.along(tracker.gravity))
    let direction = held.isFollowed(by: other) ? 1.0 : -1.0
    let beyond = angle + direction * tracker.reach(in: numbers.lead, numbers) - numbers.turnedEnough
    guard beyond > 0 else { return nil }
    let foresight = numbers.foresight * temper.farsightedness
    let isPassing = angle + direction * tracker.reach(in: foresight, numbers) > numbers.nextDiagonal
    guard !isPassing, isSteadily(other, numbers) else { return 0 }
    return min(beyond / numbers.clearlyBeyond, numbers.heaviest)
  }

  /// Whether this has lasted for more than a moment.
  private func isSteadily(_ other: DeviceOrientation, _ numbers: JudgeNumbers) -> Bool {
    let there = other.along(tracker.steady)
    let ratio = numbers.steadyRatio + temper.haste * (1 - numbers.steadyRatio)
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
  /// Seconds of clear turning, in which a good gyroscope was never distrusted for 30 (docs/benchmarks.md).
  private static let tellingDisagreement = 40.0
  /// cos² 20°.
  private static let upright = 0.883_022_2
}
