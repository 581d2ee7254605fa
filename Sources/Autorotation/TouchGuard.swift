// SPDX-License-Identifier: MIT

/// Delays rotations while a finger is on the screen.
///
///     device rotated     ▁▁finger▁▁│ 500 ms │ rotation
///     user asked         ▁▁finger▁▁│ rotation               (the button was tapped by touch)
///     user asked         ▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 1 s ▁▁▁│ rotation   (a palm that stays)
struct TouchGuard: Sendable {
  /// Android's WindowOrientationListener waits as long after the last touch.
  static let afterTouch = Duration.milliseconds(500)
  static let longestWait = Duration.seconds(1)

  private(set) var isDown = false
  private var endedAt: Instant?

  mutating func began() {
    isDown = true
  }

  mutating func ended(at now: Instant) {
    isDown = false
    endedAt = now
  }

  /// When a rotation may begin: `nil` for at once, `.never` if the finger must be lifted first.
  /// - Parameter asked: when the user or a change of focus asked for it, if one did.
  func waitEnd(asked: Instant?) -> Instant? {
    if let asked { return isDown ? asked + Self.longestWait : nil }
    return isDown ? .never : endedAt.map { $0 + Self.afterTouch }
  }
}
