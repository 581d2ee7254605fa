// SPDX-License-Identifier: MIT

/// The way out when everything shakes so much that no moment counts as evidence: where gravity points on the average of
/// 0.2 s. What has stayed clearly turned there for 0.6 s is turned, whatever shakes.
struct LastingHold {
  private var average = Vector.zero
  private var candidate = DeviceOrientation.unknown
  private var lasted = 0.0

  /// After a gap.
  mutating func begin(_ a: Vector) {
    self = Self()
    average = a
  }

  /// - Returns: the orientation that it has been held in for long enough, if that is another.
  mutating func add(_ a: Vector, dt: Double, held: DeviceOrientation) -> DeviceOrientation? {
    average += share(dt, Self.time) * (a - average)
    let orientation = turned(from: held)
    lasted = orientation == candidate ? lasted + dt : 0
    candidate = orientation
    guard orientation != .unknown, lasted >= Self.patience else { return nil }
    return orientation
  }

  private func turned(from held: DeviceOrientation) -> DeviceOrientation {
    guard average.squaredInPlane > JudgeNumbers.leaveFlat * average.squared else { return .unknown }
    let quadrant = DeviceOrientation(pointing: average)
    guard quadrant != held else { return .unknown }
    let upright = held.along(average)
    let isClear = upright < 0 || upright * upright < Self.clear * average.squaredInPlane
    return isClear || held == .unknown ? quadrant : .unknown
  }

  /// Seconds.
  private static let time = 0.2
  private static let patience = 0.6
  /// cos² 57°.
  private static let clear = 0.296_632_3
}
