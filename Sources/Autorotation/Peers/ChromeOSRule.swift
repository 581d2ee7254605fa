// SPDX-License-Identifier: MIT

/// ChromeOS's screen orientation controller: samples off g are passed over, and what is shown sticks until
/// the device has turned by 60°. No filter over time.
struct ChromeOSRule: PolledRule {
  func decide(_ a: Acceleration, at now: Instant, held: DeviceOrientation) -> DeviceOrientation {
    guard abs(a.magnitude - Self.gravity) <= Self.tolerance else { return held }
    let inPlane = (a.x * a.x + a.y * a.y).squareRoot()
    guard inPlane >= Self.leastInPlane, !sticks(held, a, inPlane) else { return held }
    if abs(a.y) >= abs(a.x) { return a.y < 0 ? .normal : .bottomUp }
    return a.x > 0 ? .leftUp : .rightUp
  }

  private func sticks(_ held: DeviceOrientation, _ a: Acceleration, _ inPlane: Double) -> Bool {
    switch held {
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
  /// m/s²: the screen stands by more than 25°.
  private static let leastInPlane = 4.2
  /// cos 60°.
  private static let stickiness = 0.5
}
