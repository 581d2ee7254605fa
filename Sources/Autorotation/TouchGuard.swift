// SPDX-License-Identifier: MIT

/// Keeps the picture from turning under a finger.
///
///     device turned      ▁▁finger▁▁│ 500 ms │ turn
///     person asked       ▁▁finger▁▁│ turn                   (the button was tapped by touch)
///     person asked       ▁▁▁▁▁▁▁▁▁▁▁▁▁▁ 1 s ▁▁▁│ turn       (a palm that stays)
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

  /// When a turn may begin: `nil` for at once, `.never` if the finger must be lifted first.
  /// - Parameter asked: when a person or a change of focus asked for it, if one did.
  func holdsUntil(asked: Instant?) -> Instant? {
    if let asked { return isDown ? asked + Self.longestWait : nil }
    return isDown ? .never : endedAt.map { $0 + Self.afterTouch }
  }
}
