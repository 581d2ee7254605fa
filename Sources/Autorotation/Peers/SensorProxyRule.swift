// SPDX-License-Identifier: MIT

/// iio-sensor-proxy 3.0 to 3.9: one raw sample, two angles, thresholds of 35°.
///
/// Each axis is compared with the other two together. An axis counts when it rises by more than 35 whole
/// degrees; if both or neither do, nothing changes. There is no filter, and |a| is ignored.
struct SensorProxyRule: PolledRule {
  func decide(_ a: Acceleration, at now: Instant, held: DeviceOrientation) -> DeviceOrientation {
    let (x, y, z) = (Self.units(a.x), Self.units(a.y), Self.units(a.z))
    switch (Self.rises(x, over: y, z), Self.rises(y, over: x, z)) {
    case (true, false): return x > 0 ? .leftUp : .rightUp
    case (false, true): return y > 0 ? .bottomUp : .normal
    default: return held
    }
  }

  /// It works in units of g/256, truncated.
  private static func units(_ metres: Double) -> Double {
    (metres * 256 / 9.81).rounded(.towardZero)
  }

  /// Whether the angle, rounded to a whole degree, is above 35: the tangent tells.
  private static func rises(_ axis: Double, over other: Double, _ another: Double) -> Bool {
    axis * axis > tangent * tangent * (other * other + another * another)
  }

  /// tan 35.5°, what rounds to 36°.
  private static let tangent = 0.713_293_1
}
