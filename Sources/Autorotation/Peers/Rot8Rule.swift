// SPDX-License-Identifier: MIT

/// rot8 1.0 with its default threshold: the first upright vector that is near enough to one raw sample.
struct Rot8Rule: PolledRule {
  func decide(_ a: Acceleration, at now: Instant, held: DeviceOrientation) -> DeviceOrientation {
    let length = a.magnitude
    guard length > 0 else { return held }
    let (x, y) = (a.x / length, a.y / length)
    func isNear(_ targetX: Double, _ targetY: Double) -> Bool {
      let (dx, dy) = (x - targetX, y - targetY)
      return dx * dx + dy * dy < Self.threshold
    }
    if isNear(0, -1) { return .normal }
    if isNear(0, 1) { return .bottomUp }
    if isNear(-1, 0) { return .rightUp }
    return isNear(1, 0) ? .leftUp : held
  }

  /// Squared distance of vectors whose length is 1.
  private static let threshold = 0.5
}
