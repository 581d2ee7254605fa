// SPDX-License-Identifier: MIT

/// Detects that the device is carried where the user cannot see its screen: in a pocket or a bag, or in a swinging arm.
///
/// It is shaken there, and rotates quickly for most of the time. A device that is read while walking is shaken as much,
/// but rotates quickly for less than a third of the time. A carried device is classified by the accelerometer alone,
/// whose noise delays rotation; the gyroscope would follow each swing. Only the size of the rate is used, so a
/// gyroscope that is not trusted suffices.
struct CarriedDetector {
  /// Share of the last seconds in which the device rotated quickly.
  private var rotating = 0.0
  /// Mean of (|a| − g)² over the last seconds, (m/s²)².
  private var shaking = 0.0

  var isCarried: Bool { rotating > 1 / 2 && shaking > Self.shaken }

  /// - Parameters:
  ///   - excess: |a| − g, m/s².
  ///   - rate: rad/s.
  mutating func add(excess: Double, rate: Vector, dt: Double) {
    let part = share(dt, Self.memory)
    rotating += part * ((rate.squared > Self.quick ? 1 : 0) - rotating)
    shaking += part * (min(excess * excess, RestingMagnitude.maximumDeviation) - shaking)
  }

  /// Seconds: two or three steps.
  private static let memory = 2.0
  /// (rad/s)²: 57° a second.
  private static let quick = 1.0
  /// (m/s²)².
  private static let shaken = 1.0
}

/// Detects recent motion: the screen may rotate soon, so samples should come quickly.
struct RecentMotion {
  private var reference = Vector.zero
  private var activeAt = Instant(nanoseconds: .min)

  func isRecent(at now: Instant) -> Bool { now.seconds(since: activeAt) < Self.activeTime }

  /// - Parameter noise: (m/s²)².
  mutating func update(_ gravity: Vector, noise: Double, hasEvidence: Bool, at now: Instant) {
    let hasMoved = (gravity - reference).squared > Self.activeNoise
    if hasMoved { reference = gravity }
    if hasMoved || noise > Self.activeNoise || hasEvidence { activeAt = now }
  }

  /// (0.35 m/s²)², of noise or of 2° of tilt: a device on a desk stays well below.
  private static let activeNoise = 0.1225
  /// Seconds after the last movement until slow samples suffice: longer than a hand pauses within one rotation, so that
  /// the gyroscope stays on.
  private static let activeTime = 0.6
}

/// The fallback when everything shakes so much that no sample is used as evidence: the mean direction of gravity over
/// 0.2 s. An orientation that lasts there for half a second is the device's.
struct LastingOrientation {
  private var average = Vector.zero
  private var candidate = DeviceOrientation.unknown
  private var duration = 0.0

  /// After a gap.
  mutating func begin(_ a: Vector) {
    self = Self()
    average = a
  }

  /// - Returns: an orientation other than `current` that has lasted for long enough.
  mutating func add(_ a: Vector, dt: Double, current: DeviceOrientation) -> DeviceOrientation? {
    average += share(dt, Self.time) * (a - average)
    let orientation = newOrientation(from: current)
    duration = orientation == candidate ? duration + dt : 0
    candidate = orientation
    guard orientation != .unknown, duration >= Self.minDuration else { return nil }
    return orientation
  }

  private func newOrientation(from current: DeviceOrientation) -> DeviceOrientation {
    guard average.squaredInPlane > ClassifierConstants.leaveFlat * average.squared else { return .unknown }
    let quadrant = DeviceOrientation(nearestTo: average)
    let isClear = current.component(of: average) < Self.clear * quadrant.component(of: average)
    return isClear || current == .unknown ? quadrant : .unknown
  }

  /// Seconds.
  private static let time = 0.2
  private static let minDuration = 0.5
  private static let clear = ClassifierConstants.accelerometer.steadyRatio
}
