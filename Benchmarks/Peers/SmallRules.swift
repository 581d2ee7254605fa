// SPDX-License-Identifier: MIT

import Autorotation

/// iio-sensor-proxy 3.0 to 3.9: one raw sample, two angles, thresholds of 35°.
///
/// Each axis is compared with the other two together. An axis is chosen when it rises by more than 35 whole degrees; if
/// both or neither do, nothing changes. There is no filter, and |a| is ignored.
struct SensorProxyRule: PolledRule {
  func decide(_ a: Acceleration, at now: Instant, current: DeviceOrientation) -> DeviceOrientation {
    let (x, y, z) = (Self.units(a.x), Self.units(a.y), Self.units(a.z))
    switch (Self.rises(x, over: y, z), Self.rises(y, over: x, z)) {
    case (true, false): return x > 0 ? .leftUp : .rightUp
    case (false, true): return y > 0 ? .bottomUp : .normal
    default: return current
    }
  }

  /// It works in units of g/256, truncated.
  private static func units(_ metres: Double) -> Double {
    (metres * 256 / 9.81).rounded(.towardZero)
  }

  /// Whether the angle, rounded to a whole degree, is above 35, by its tangent.
  private static func rises(_ axis: Double, over other: Double, _ another: Double) -> Bool {
    axis * axis > tangent * tangent * (other * other + another * another)
  }

  /// tan 35.5°, what rounds to 36°.
  private static let tangent = 0.713_293_1
}

/// rot8 1.0 with its default threshold: the first upright vector that is close enough to one raw sample.
struct Rot8Rule: PolledRule {
  func decide(_ a: Acceleration, at now: Instant, current: DeviceOrientation) -> DeviceOrientation {
    let length = a.magnitude
    guard length > 0 else { return current }
    let (x, y) = (a.x / length, a.y / length)
    func isNear(_ targetX: Double, _ targetY: Double) -> Bool {
      let (dx, dy) = (x - targetX, y - targetY)
      return dx * dx + dy * dy < Self.threshold
    }
    if isNear(0, -1) { return .normal }
    if isNear(0, 1) { return .bottomUp }
    if isNear(-1, 0) { return .rightUp }
    return isNear(1, 0) ? .leftUp : current
  }

  /// Squared distance of vectors whose length is 1.
  private static let threshold = 0.5
}

/// ChromeOS's screen orientation controller: samples far from g are skipped, and the orientation is kept until the
/// device has rotated by 60°. No filter over time.
struct ChromeOSRule: PolledRule {
  func decide(_ a: Acceleration, at now: Instant, current: DeviceOrientation) -> DeviceOrientation {
    guard abs(a.magnitude - Self.gravity) <= Self.tolerance else { return current }
    let inPlane = (a.x * a.x + a.y * a.y).squareRoot()
    guard inPlane >= Self.minimumInPlane, !sticks(current, a, inPlane) else { return current }
    if abs(a.y) >= abs(a.x) { return a.y < 0 ? .normal : .bottomUp }
    return a.x > 0 ? .leftUp : .rightUp
  }

  private func sticks(_ current: DeviceOrientation, _ a: Acceleration, _ inPlane: Double) -> Bool {
    switch current {
    case .normal: -a.y > Self.stickiness * inPlane
    case .bottomUp: a.y > Self.stickiness * inPlane
    case .leftUp: a.x > Self.stickiness * inPlane
    case .rightUp: -a.x > Self.stickiness * inPlane
    case .unknown, .faceUp, .faceDown: false
    }
  }

  private static let gravity = 9.80665
  /// m/s² off g.
  private static let tolerance = 1.0
  /// m/s²: the screen is more than 25° from horizontal.
  private static let minimumInPlane = 4.2
  /// cos 60°.
  private static let stickiness = 0.5
}
