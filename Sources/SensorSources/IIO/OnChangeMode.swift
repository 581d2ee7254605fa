// SPDX-License-Identifier: MIT

import Autorotation

/// Whether the sensor is in on-change mode: it reports changes above a hysteresis, and is not polled.
///
/// Some hubs accept a hysteresis and then report nothing, which would stop rotation for good. So the last reported value
/// is compared with a read from time to time, less and less often while they agree. The first missed change ends the mode.
nonisolated struct OnChangeMode {
  /// m/s²: some 2° of tilt, more than the noise of common sensors, and less than `Stillness.noiseLimit`, so that no change
  /// is withheld that would have been reported.
  static let hysteresis = 0.4
  /// Nanoseconds.
  private static let minimumCheckInterval: Int64 = 120_000_000_000
  private static let maximumCheckInterval: Int64 = 3_600_000_000_000

  private(set) var isOn = false
  private(set) var isTrusted = true
  private(set) var checkInterval = Self.minimumCheckInterval
  private var place = Acceleration(x: 0, y: 0, z: 0)

  mutating func begin(at place: Acceleration) {
    isOn = true
    self.place = place
  }

  mutating func end() {
    isOn = false
  }

  mutating func distrust() {
    isOn = false
    isTrusted = false
  }

  /// The sensor has reported a change.
  mutating func receive(_ place: Acceleration) {
    self.place = place
  }

  /// Compares a read with the last report.
  mutating func check(_ read: Acceleration) {
    guard !Self.isChange(from: place, to: read) else { return distrust() }
    checkInterval = min(2 * checkInterval, Self.maximumCheckInterval)
  }

  /// Whether the difference exceeds twice the hysteresis: once for the sensor, and once for what it measures between two
  /// reports.
  static func isChange(from place: Acceleration, to read: Acceleration) -> Bool {
    max(abs(read.x - place.x), abs(read.y - place.y), abs(read.z - place.z)) > 2 * hysteresis
  }
}
