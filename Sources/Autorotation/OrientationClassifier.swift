// SPDX-License-Identifier: MIT

import func Glibc.atan2

/// Tells from timestamped accelerometer samples how the device is held: the judge.
///
/// A turn needs evidence, and three things weigh each moment of it. First, how far |a| has lately been from g,
/// since then more than gravity is measured: the dwell stretches from one sample in a quiet hand to 0.7 s on a bumpy
/// road. Second, how far the device has turned, including what its speed will add. Third, where that speed leads:
/// a device that will leave the quarter again at once is only passing through.
///
///     quiet turn        normal ──────╱ 50° and on its way ▁│ left-up       (as a rule 0.1 s after the diagonal)
///     slow turn         normal ──────╱ 60° and at rest ▁▁▁▁│ left-up       (in a quiet hand; the further the sooner)
///     tilt and back     normal ──────╱ 48° ╲────────────────  normal      (57° is not reached, nor in sight)
///     glimpse           normal ──────╱ 70° ╲╱ swings back ──  normal      (what is in sight shrinks; evidence goes)
///     bump              normal ──▚▚▚▚▚▚▚▚▚▚────────────────  normal      (evidence is worth little for a while)
///     half turn         normal ──────╱ 90° at speed ╱ 180° ▁│ bottom-up    (the quarter between is passed over)
///     laid on a table   left-up ─────╲ 27° flat ────────────  left-up is kept, face-up is reported
///
/// It accepts any rate from 4 to 100 Hz. A gap of more than a second resets the filters but keeps what is shown.
/// docs/benchmarks.md compares it with its peers; OrientationClassifier+Numbers explains the constants.
package struct OrientationClassifier: Sendable {
  /// Upright orientation decided last; flat phases keep it. `unknown` before the first decision.
  package private(set) var held = DeviceOrientation.unknown

  private let temper: Temper
  private var isFlat = true
  private var candidate: Candidate?
  private var latest = Acceleration(x: 0, y: 0, z: 0)
  /// Low-passed: must agree before evidence counts.
  private var steady = Acceleration(x: 0, y: 0, z: 0)
  /// Running mean of (|a| − g)², in (m/s²)².
  private var noise = 0.0
  /// Low-passed speed of gravity in the plane of the screen, radians a second: positive from normal to left-up.
  private var spin = 0.0
  /// Seconds of samples since the filters began.
  private var warmth = 0.0
  private var lastSample: Instant?
  /// Where gravity pointed after its last lasting change, and when that was.
  private var restingPlace = Acceleration(x: 0, y: 0, z: 0)
  private var movedAt = Instant(nanoseconds: .min)
  private var restlessAt = Instant(nanoseconds: .min)

  private struct Candidate {
    let orientation: DeviceOrientation
    /// 1 is enough, 1.5 for the opposite orientation.
    var evidence = 0.0
  }

  /// What may differ from one judge to another.
  private struct Temper {
    /// A factor of every dwell.
    let caution: Double
    /// Seconds to look ahead for whether the device is only passing through.
    let foresight: Double
    /// The low-passed cotangent must be below this.
    let steadyRatio: Double

    init(caution: Double) {
      self.caution = caution
      let haste = 1 - min(1, caution)
      foresight = OrientationClassifier.foresight * (1 - haste).squareRoot()
      // From 57° down to the diagonal itself.
      steadyRatio = OrientationClassifier.turnedRatio + haste * (1 - OrientationClassifier.turnedRatio)
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
    return latest.z > 0 ? .faceUp : .faceDown
  }

  /// The orientation that a turn may be heading for, and how much of the evidence for it is there, 0…1.
  package var tendency: (orientation: DeviceOrientation, share: Double)? {
    candidate.map { ($0.orientation, min(1, $0.evidence / evidenceNeeded(for: $0.orientation))) }
  }

  /// Whether the picture might turn soon, so that samples should come quickly.
  package func wantsFollowing(at now: Instant) -> Bool {
    lastSample == nil || now.seconds(since: restlessAt) < Self.calmDown
  }

  /// Whether a sample can be a measurement at all. Dead sensors deliver zeros, broken ones absurd values.
  package static func isPlausible(_ a: Acceleration) -> Bool {
    let magnitude = a.magnitude
    return magnitude > 0 && magnitude < highestMagnitude
  }

  /// Adds a sample. Implausible ones, and those that are not later than the last, change nothing.
  /// - Returns: whether `held` has changed.
  package mutating func add(_ a: Acceleration, at now: Instant) -> Bool {
    guard Self.isPlausible(a), let dt = advance(to: now, with: a) else { return false }
    let before = held
    filter(a, dt)
    updateFlatness()
    if isFlat {
      candidate = nil
    } else {
      weigh(dt)
    }
    noteRestlessness(at: now)
    return held != before
  }

  /// - Returns: seconds since the last sample, or `nil` if the clock did not move on.
  private mutating func advance(to now: Instant, with a: Acceleration) -> Double? {
    defer { lastSample = max(lastSample ?? now, now) }
    guard let lastSample else {
      startFilters(with: a)
      return Self.firstStep
    }
    let dt = now.seconds(since: lastSample)
    guard dt > 0 else { return nil }
    guard dt > Self.longestGap else { return dt }
    startFilters(with: a)
    return Self.firstStep
  }

  private mutating func startFilters(with a: Acceleration) {
    latest = a
    steady = a
    noise = 0
    spin = 0
    warmth = 0
    candidate = nil
  }

  private mutating func filter(_ a: Acceleration, _ dt: Double) {
    let deviation = min(abs(a.magnitude - Self.gravity), Self.largestDeviation)
    noise += dt / (Self.noiseTime + dt) * (deviation * deviation - noise)
    let speed = Self.turn(from: latest, to: a) / dt
    let hand = max(-Self.quickestHand, min(speed, Self.quickestHand))
    spin += dt / (Self.spinTime + dt) * (hand - spin)
    let s = dt / (Self.steadyTime + dt)
    steady.x += s * (a.x - steady.x)
    steady.y += s * (a.y - steady.y)
    steady.z += s * (a.z - steady.z)
    latest = a
    warmth += dt
  }

  /// Sine of the angle between two samples, in the plane of the screen.
  private static func turn(from before: Acceleration, to after: Acceleration) -> Double {
    let lengths = inPlane(before) * inPlane(after)
    guard lengths > 0 else { return 0 }
    return (before.x * after.y - before.y * after.x) / lengths.squareRoot()
  }

  private mutating func updateFlatness() {
    let inPlane = Self.inPlane(latest)
    let whole = inPlane + latest.z * latest.z
    if inPlane > Self.leaveFlat * whole {
      isFlat = false
    } else if inPlane < Self.enterFlat * whole {
      isFlat = true
    }
  }

  /// Collects evidence for the quadrant that gravity points to, and decides.
  private mutating func weigh(_ dt: Double) {
    let quadrant = Self.quadrant(latest.x, latest.y)
    guard quadrant != held else {
      candidate = nil
      return
    }
    var current =
      candidate.flatMap { $0.orientation == quadrant ? $0 : nil } ?? Candidate(orientation: quadrant)
    if let weight = weight(of: quadrant) {
      current.evidence += min(dt, Self.longestStep) / dwell(weight)
    } else {
      current.evidence = 0
    }
    candidate = current
    if current.evidence >= evidenceNeeded(for: quadrant), warmth >= Self.warmUp {
      held = quadrant
      candidate = nil
    }
  }

  /// How many seconds like this moment a decision needs.
  private func dwell(_ weight: Double) -> Double {
    guard weight > 0 else { return .infinity }
    // The more a screen leans back, the less gravity lies in its plane, and the further the same noise turns it.
    let lean = 1 + latest.z * latest.z / Self.inPlane(latest)
    let dwell = Self.quietDwell + Self.dwellPerNoise * noise * lean
    return temper.caution * min(dwell / weight, Self.longestDwell)
  }

  /// The evidence of this moment for `other`: 0 is none, `nil` discards all earlier evidence.
  private func weight(of other: DeviceOrientation) -> Double? {
    guard held != .unknown, !isOpposite(other) else {
      return Self.quadrant(steady.x, steady.y) == other ? 1 : 0
    }
    let angle = atan2(Self.along(other, latest.x, latest.y), Self.along(held, latest.x, latest.y))
    let speed = isClockwise(other) ? spin : -spin
    let beyond = angle + speed * Self.lead - Self.turnedEnough
    guard beyond > 0 else { return nil }
    let isPassingThrough = angle + speed * temper.foresight > Self.nextDiagonal
    guard !isPassingThrough, isSteadily(other) else { return 0 }
    return min(beyond / Self.clearlyBeyond, Self.heaviest)
  }

  /// Whether this has lasted for more than a moment.
  private func isSteadily(_ other: DeviceOrientation) -> Bool {
    let there = Self.along(other, steady.x, steady.y)
    return there > 0 && Self.along(held, steady.x, steady.y) < temper.steadyRatio * there
  }

  private func evidenceNeeded(for orientation: DeviceOrientation) -> Double {
    held != .unknown && isOpposite(orientation) ? Self.oppositeFactor : 1
  }

  private mutating func noteRestlessness(at now: Instant) {
    let dx = steady.x - restingPlace.x
    let dy = steady.y - restingPlace.y
    let dz = steady.z - restingPlace.z
    if dx * dx + dy * dy + dz * dz > Self.smallestMove * Self.smallestMove {
      restingPlace = steady
      movedAt = now
    }
    let isTilted = !isFlat && (held == .unknown || isTurned)
    let isStill = now.seconds(since: movedAt) > Self.stillAfter
    if noise > Self.restlessNoise || candidate?.evidence ?? 0 > 0 || isTilted && !isStill {
      restlessAt = now
    }
  }

  /// Whether gravity is more than 20° off the axis of what is held.
  private var isTurned: Bool {
    let upright = Self.along(held, latest.x, latest.y)
    return upright < 0 || upright * upright < Self.upright * Self.inPlane(latest)
  }

  private func isOpposite(_ other: DeviceOrientation) -> Bool {
    switch (held, other) {
    case (.normal, .bottomUp), (.bottomUp, .normal), (.leftUp, .rightUp), (.rightUp, .leftUp): true
    default: false
    }
  }

  /// Whether `other` is the neighbour that a positive spin leads to.
  private func isClockwise(_ other: DeviceOrientation) -> Bool {
    switch (held, other) {
    case (.normal, .leftUp), (.leftUp, .bottomUp), (.bottomUp, .rightUp), (.rightUp, .normal): true
    default: false
    }
  }

  /// How much of gravity lies along the edge that is up in `orientation`, m/s².
  private static func along(_ orientation: DeviceOrientation, _ x: Double, _ y: Double) -> Double {
    switch orientation {
    case .normal: -y
    case .bottomUp: y
    case .leftUp: x
    case .rightUp: -x
    case .faceUp, .faceDown, .unknown: 0
    }
  }

  /// (m/s²)² of what lies in the plane of the screen.
  private static func inPlane(_ a: Acceleration) -> Double {
    a.x * a.x + a.y * a.y
  }

  private static func quadrant(_ x: Double, _ y: Double) -> DeviceOrientation {
    if abs(y) >= abs(x) {
      return y < 0 ? .normal : .bottomUp
    }
    return x > 0 ? .leftUp : .rightUp
  }
}
