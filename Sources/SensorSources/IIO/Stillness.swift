// SPDX-License-Identifier: MIT

import Autorotation

/// Detects that the device lies still, so that it can be read, and the loop woken, less often. Pure.
nonisolated struct Stillness {
  /// Nanoseconds.
  static let patience: Int64 = 10_000_000_000
  /// m/s² on any axis: more than the noise of common sensors, less than 3° of a turn.
  static let tremble = 0.5

  private var place = Acceleration(x: 0, y: 0, z: 0)
  private var since = Int64.min
  private var hasSkipped = false

  /// - Parameter now: nanoseconds.
  func isStill(at now: Int64) -> Bool {
    since != .min && now - since >= Self.patience
  }

  /// While the device lies still, every other sample is reported: enough for the judge, which resets after a second
  /// without samples.
  mutating func isNews(_ acceleration: Acceleration, at now: Int64) -> Bool {
    guard isNear(acceleration) else {
      place = acceleration
      since = now
      return true
    }
    hasSkipped = isStill(at: now) && !hasSkipped
    return !hasSkipped
  }

  private func isNear(_ a: Acceleration) -> Bool {
    since != .min && max(abs(a.x - place.x), abs(a.y - place.y), abs(a.z - place.z)) <= Self.tremble
  }
}
