// SPDX-License-Identifier: MIT

/// Detects that the device is at rest, so that reads, and wake-ups of the loop, can be rarer. Pure.
package struct Stillness: Sendable {
  /// Nanoseconds.
  package static let restDelay: Int64 = 10_000_000_000
  /// The device was probably put down; nanoseconds.
  package static let longRestDelay: Int64 = 30_000_000_000
  /// m/s² on any axis: more than the noise of common sensors, less than 3° of a rotation.
  package static let noiseLimit = 0.5
  /// A device at rest for that long starts a movement when it moves; nanoseconds.
  private static let restTime: Int64 = 1_000_000_000

  /// Until when a movement that began after rest counts as new; nanoseconds.
  package private(set) var movementUntil: Int64 = 0
  /// Where it came to rest, and since when; `nil` before the first sample.
  private var origin: (acceleration: Acceleration, since: Int64)?

  package init() {}

  /// - Parameter now: nanoseconds.
  package func isStill(at now: Int64) -> Bool { origin.map { now - $0.since >= Self.restDelay } ?? false }

  /// Nanoseconds from one read to the next. 300 ms are enough to notice a rotation. While the device is idle, reads come
  /// twice a second; after a long rest every 0.6 s, and never less often, since that interval delays the next rotation.
  /// These are 100 reads a minute: each is one wake-up, or two where the driver waits for the hardware.
  /// - Parameter now: nanoseconds.
  package func interval(at now: Int64) -> Int64 {
    guard let origin, isStill(at: now) else { return 300_000_000 }
    return now - origin.since >= Self.longRestDelay ? 600_000_000 : 500_000_000
  }

  /// - Returns: whether the classifier needs this sample now. At rest it needs none: the last one before a movement can
  ///   come with the first of it.
  package mutating func isNeeded(_ acceleration: Acceleration, at now: Int64) -> Bool {
    guard isNear(acceleration) else {
      if let origin, now - origin.since > Self.restTime { movementUntil = now + ReadSchedule.boostTime }
      origin = (acceleration, now)
      return true
    }
    return !isStill(at: now)
  }

  /// Whether the device has moved no further than noise from where it came to rest.
  package func isNear(_ a: Acceleration) -> Bool {
    guard let b = origin?.acceleration else { return false }
    return max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)) <= Self.noiseLimit
  }
}
