// SPDX-License-Identifier: MIT

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
    guard quadrant != current else { return .unknown }
    let isClear = current.component(of: average) < Self.clear * quadrant.component(of: average)
    return isClear || current == .unknown ? quadrant : .unknown
  }

  /// Seconds.
  private static let time = 0.2
  private static let minDuration = 0.5
  private static let clear = ClassifierConstants.accelerometer.steadyRatio
}
