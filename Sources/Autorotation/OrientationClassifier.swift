// SPDX-License-Identifier: MIT

/// Tells from stamped accelerometer samples how the device is held. The judge.
///
/// One idea carries it: a turn has to be shown by evidence, and evidence counts for less the further
/// |a| has lately been from g, since then it is not gravity alone that is measured. The dwell before
/// a turn so stretches by itself, from 0.05 s in a quiet hand to 0.7 s on a bumpy road:
///
///     quiet turn        normal ──────╱ 55° ╲▁▁▁ 0.05 s ▁▁▁│ left-up
///     tilt and back     normal ──────╱ 48° ╲────────────── normal      (below the threshold: no evidence)
///     glimpse           normal ──────╱ 70° ╲╱ swings back  normal      (evidence is lost when the candidate goes)
///     bump              normal ──▚▚▚▚▚▚▚▚▚▚────────────── normal      (evidence is worth little for 0.2 … 0.7 s)
///     half turn         normal ──────╱ 180° ╲▁▁▁▁ ×1.5 ▁▁▁▁│ bottom-up (may only be passing through)
///     laid on a table   left-up ─────╲ 27° flat ──────────  left-up is kept, face-up is reported
///
/// It takes any rate from 4 to 100 Hz. A gap of more than a second starts the filters anew but keeps what
/// is shown. The algorithm and its numbers come from a benchmark of judges on 7 hours of recorded and
/// synthetic motion; docs/benchmarks.md has the figures, and the constants below their reasons.
package struct OrientationClassifier: Sendable {
  /// Upright orientation decided last; flat phases keep it. `unknown` before the first decision.
  package private(set) var held = DeviceOrientation.unknown

  private var isFlat = true
  private var candidate: Candidate?
  /// Low-passed acceleration, lightly: what the decision looks at.
  private var quick = Acceleration(x: 0, y: 0, z: 0)
  /// Low-passed x and y, heavily: must agree before evidence counts.
  private var steadyX = 0.0
  private var steadyY = 0.0
  /// Running mean of (|a| − g)², in (m/s²)².
  private var noise = 0.0
  private var lastSample: Instant?
  /// Where `quick` was when it last moved for good, and when that was.
  private var restingPlace = Acceleration(x: 0, y: 0, z: 0)
  private var movedAt = Instant(nanoseconds: .min)
  private var restlessAt = Instant(nanoseconds: .min)

  private struct Candidate {
    let orientation: DeviceOrientation
    /// 1 is enough, 1.5 for the opposite orientation.
    var evidence = 0.0
    /// Along the current axis over along the candidate's: the cotangent of the angle turned.
    var ratio: Double
    /// Low-passed rate at which `ratio` falls, 1/s. Negative while the device swings back.
    var approach = 0.0
  }

  package init() {}

  /// All seven, as UIKit names them: what `held` says, or which face is up.
  package var orientation: DeviceOrientation {
    guard isFlat, lastSample != nil else { return held }
    return quick.z > 0 ? .faceUp : .faceDown
  }

  /// What a turn may be under way to, and how much of the evidence for it has come together, 0…1.
  package var tendency: (orientation: DeviceOrientation, share: Double)? {
    candidate.map { ($0.orientation, min(1, $0.evidence / evidenceNeeded(for: $0.orientation))) }
  }

  /// Whether the picture might turn soon, so that samples should come quickly.
  package func wantsFollowing(at now: Instant) -> Bool {
    lastSample == nil || now.seconds(since: restlessAt) < Self.calmDown
  }

  /// Whether a sample can be a measurement at all. Dead sensors deliver zeros, broken ones the absurd.
  package static func isPlausible(_ a: Acceleration) -> Bool {
    let magnitude = a.magnitude
    return magnitude > 0 && magnitude < highestMagnitude
  }

  /// Takes one sample; implausible ones, and such as do not lie after the last one, change nothing.
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
    quick = a
    steadyX = a.x
    steadyY = a.y
    noise = 0
    candidate = nil
  }

  private mutating func filter(_ a: Acceleration, _ dt: Double) {
    let deviation = a.magnitude - Self.gravity
    noise += dt / (Self.noiseTime + dt) * (deviation * deviation - noise)
    let k = dt / (Self.quickTime + dt)
    quick.x += k * (a.x - quick.x)
    quick.y += k * (a.y - quick.y)
    quick.z += k * (a.z - quick.z)
    let s = dt / (Self.steadyTime + dt)
    steadyX += s * (a.x - steadyX)
    steadyY += s * (a.y - steadyY)
  }

  private mutating func updateFlatness() {
    let inPlane = quick.x * quick.x + quick.y * quick.y
    let whole = inPlane + quick.z * quick.z
    if inPlane > Self.leaveFlat * whole {
      isFlat = false
    } else if inPlane < Self.enterFlat * whole {
      isFlat = true
    }
  }

  /// Collects evidence for the quadrant that gravity points to, and decides.
  private mutating func weigh(_ dt: Double) {
    let quadrant = Self.quadrant(quick.x, quick.y)
    guard quadrant != held else {
      candidate = nil
      return
    }
    let ratio = along(held) / along(quadrant)
    var current =
      candidate.flatMap { $0.orientation == quadrant ? $0 : nil }
      ?? Candidate(orientation: quadrant, ratio: ratio)
    current.approach += dt / (Self.approachTime + dt) * ((current.ratio - ratio) / dt - current.approach)
    current.ratio = ratio
    collect(&current, dt)
    candidate = current
    if current.evidence >= evidenceNeeded(for: quadrant) {
      held = quadrant
      candidate = nil
    }
  }

  private func collect(_ candidate: inout Candidate, _ dt: Double) {
    let isBeyond =
      candidate.ratio < Self.turnedEnough
      || isOpposite(candidate.orientation) || held == .unknown
    guard isBeyond else {
      candidate.evidence = 0
      return
    }
    let isSwingingBack = candidate.approach < -Self.swingBack
    guard !isSwingingBack, Self.quadrant(steadyX, steadyY) == candidate.orientation else { return }
    candidate.evidence += dt / min(Self.quietDwell + Self.dwellPerNoise * noise, Self.longestDwell)
  }

  private func evidenceNeeded(for orientation: DeviceOrientation) -> Double {
    if held == .unknown { return min(1, Self.firstDwell / Self.quietDwell) }
    return isOpposite(orientation) ? Self.oppositeFactor : 1
  }

  private mutating func noteRestlessness(at now: Instant) {
    let dx = quick.x - restingPlace.x
    let dy = quick.y - restingPlace.y
    let dz = quick.z - restingPlace.z
    if dx * dx + dy * dy + dz * dz > Self.smallestMove * Self.smallestMove {
      restingPlace = quick
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
    let inPlane = quick.x * quick.x + quick.y * quick.y
    let upright = along(held)
    return upright < 0 || upright * upright < Self.upright * inPlane
  }

  private func isOpposite(_ other: DeviceOrientation) -> Bool {
    switch (held, other) {
    case (.normal, .bottomUp), (.bottomUp, .normal), (.leftUp, .rightUp), (.rightUp, .leftUp): true
    default: false
    }
  }

  /// How much of gravity lies along the edge that is up in `orientation`, m/s².
  private func along(_ orientation: DeviceOrientation) -> Double {
    switch orientation {
    case .normal: -quick.y
    case .bottomUp: quick.y
    case .leftUp: quick.x
    case .rightUp: -quick.x
    case .faceUp, .faceDown, .unknown: 0
    }
  }

  private static func quadrant(_ x: Double, _ y: Double) -> DeviceOrientation {
    if abs(y) >= abs(x) {
      return y < 0 ? .normal : .bottomUp
    }
    return x > 0 ? .leftUp : .rightUp
  }
}

// The `balanced` constants of the benchmark. They were found by random and evolutionary search on the public
// half of the recordings and are round on purpose: halving or doubling any one of them loses less than the
// weighting by noise gains.
extension OrientationClassifier {
  /// Standard gravity, m/s² (CGPM 1901).
  private static let gravity = 9.80665
  /// m/s². The widest range of the usual accelerometers is ±16 g.
  private static let highestMagnitude = 280.0
  /// Seconds. Takes the sharpest edge off a tap on the glass, no more: a longer filter only costs delay.
  private static let quickTime = 0.02
  /// Seconds. `fast` 0.05, `calm` 0.20.
  private static let steadyTime = 0.10
  /// Seconds. About as long as a step or a pothole shakes the device.
  private static let noiseTime = 0.17
  /// Seconds of dwell when |a| is g. `fast` 0.02.
  private static let quietDwell = 0.05
  /// Seconds of dwell per (m/s²)² of noise. `fast` 0.10, `calm` 0.24.
  private static let dwellPerNoise = 0.17
  /// Seconds. Nobody waits longer, even running.
  private static let longestDwell = 0.7
  /// Seconds of dwell for the first orientation of all.
  private static let firstDwell = 0.08
  /// tan 35°: turned by more than 55°, 10° past the diagonal.
  private static let turnedEnough = 0.700_207_5
  /// A half turn may be the middle of three quarters; it needs this much more evidence.
  private static let oppositeFactor = 1.5
  /// 1/s of the ratio.
  private static let swingBack = 1.0
  /// Seconds.
  private static let approachTime = 0.06
  /// sin² 31°: share of gravity in the plane of the screen above which it is no longer flat.
  private static let leaveFlat = 0.265_264_2
  /// sin² 27°: below which it is flat.
  private static let enterFlat = 0.206_107_4
  /// Seconds taken for the step before the first sample: one at 50 Hz.
  private static let firstStep = 0.02
  /// Seconds. Filters know nothing of what happened in a longer gap.
  private static let longestGap = 1.0
  /// (0.35 m/s²)²: a device at rest on a desk stays well below.
  private static let restlessNoise = 0.1225
  /// cos² 20°.
  private static let upright = 0.883_022_2
  /// m/s², some 3° of tilt.
  private static let smallestMove = 0.5
  /// Seconds of stillness after which even a tilted device is at rest.
  private static let stillAfter = 5.0
  /// Seconds from the last unrest until the samples may come slowly.
  private static let calmDown = 0.3
}
