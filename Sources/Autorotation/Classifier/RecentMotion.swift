// SPDX-License-Identifier: MIT

/// Detects recent motion: the screen may rotate soon, so samples should come quickly.
struct RecentMotion {
  private var reference = Vector.zero
  private var movedAt = Instant(nanoseconds: .min)
  private var activeAt = Instant(nanoseconds: .min)

  func isRecent(at now: Instant) -> Bool { now.seconds(since: activeAt) < Self.activeTime }

  /// - Parameters:
  ///   - noise: (m/s²)².
  ///   - isTilted: whether gravity is clearly off the axis of the present orientation.
  mutating func update(
    _ gravity: Vector, noise: Double, isTilted: Bool, hasEvidence: Bool, at now: Instant
  ) {
    if (gravity - reference).squared > Self.minimumMove * Self.minimumMove {
      reference = gravity
      movedAt = now
    }
    let isStill = now.seconds(since: movedAt) > Self.stillAfter
    if noise > Self.activeNoise || hasEvidence || isTilted && !isStill { activeAt = now }
  }

  /// (0.35 m/s²)²: a device on a desk stays well below.
  private static let activeNoise = 0.1225
  /// m/s², some 3° of tilt.
  private static let minimumMove = 0.5
  /// Seconds of stillness after which even a tilted device is at rest.
  private static let stillAfter = 5.0
  /// Seconds after the last movement until slow samples suffice.
  private static let activeTime = 0.3
}
