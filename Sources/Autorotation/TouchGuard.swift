// SPDX-License-Identifier: MIT

/// Delays rotations while a finger is on the screen.
///
///     device rotated     ▁▁finger▁▁│ 500 ms │ rotation
///     user asked         ▁▁finger▁▁│ rotation               (the button was tapped by touch)
///     user asked         ▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 1 s ▁▁▁│ rotation   (a palm that stays)
struct TouchGuard: Sendable {
  /// The same delay after the last touch as in Android's WindowOrientationListener.
  static let delayAfterTouch = Duration.milliseconds(500)
  /// A rotation that the user asked for does not wait longer for the finger.
  static let maximumDelay = Duration.seconds(1)

  private(set) var isTouching = false
  private var endedAt: Instant?

  mutating func touchBegan() {
    isTouching = true
  }

  mutating func touchEnded(at now: Instant) {
    isTouching = false
    endedAt = now
  }

  /// When a rotation may begin: `nil` for at once, `.never` if the finger must be lifted first.
  /// - Parameter asked: when the user or a change of focus asked for it, if one did.
  func waitEnd(asked: Instant?) -> Instant? {
    if let asked { return isTouching ? asked + Self.maximumDelay : nil }
    return isTouching ? .never : endedAt.map { $0 + Self.delayAfterTouch }
  }
}
