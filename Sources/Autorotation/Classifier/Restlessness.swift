// SPDX-License-Identifier: MIT

/// Whether the picture might turn soon, so that samples should come quickly.
struct Restlessness {
  private var place = Vector.zero
  private var movedAt = Instant(nanoseconds: .min)
  private var restlessAt = Instant(nanoseconds: .min)

  func isRecent(at now: Instant) -> Bool { now.seconds(since: restlessAt) < Self.calmDown }

  /// - Parameters:
  ///   - noise: (m/s²)².
  ///   - isTurned: whether it is held clearly off the axis of what is shown.
  mutating func note(
    _ gravity: Vector, noise: Double, isTurned: Bool, hasEvidence: Bool, at now: Instant
  ) {
    if (gravity - place).squared > Self.smallestMove * Self.smallestMove {
      place = gravity
      movedAt = now
    }
    let isStill = now.seconds(since: movedAt) > Self.stillAfter
    if noise > Self.restlessNoise || hasEvidence || isTurned && !isStill { restlessAt = now }
  }

  /// (0.35 m/s²)²: a device on a desk stays well below.
  private static let restlessNoise = 0.1225
  /// m/s², some 3° of tilt.
  private static let smallestMove = 0.5
  /// Seconds of stillness after which even a tilted device is at rest.
  private static let stillAfter = 5.0
  /// Seconds from the last movement until slow samples suffice.
  private static let calmDown = 0.3
}
