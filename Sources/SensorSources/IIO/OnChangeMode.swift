// SPDX-License-Identifier: MIT

import Autorotation

/// Whether the sensor is in on-change mode: it reports changes above a hysteresis, and is not polled.
///
/// Some hubs accept a hysteresis and then report nothing, which would stop rotation for good. So the last reported value
/// is compared with a read from time to time, less and less often while they agree. The first missed change ends the mode.
nonisolated struct OnChangeMode {
  /// m/s²: some 2° of tilt, more than the noise of common sensors, and less than `Stillness.noiseLimit`, so that no change
  /// remains unreported that matters.
  static let hysteresis = 0.4
  /// Nanoseconds.
  private static let minimumCheckInterval: Int64 = 120_000_000_000
  private static let maximumCheckInterval: Int64 = 3_600_000_000_000

  private(set) var isOn = false
  private(set) var isTrusted = true
  private(set) var checkInterval = Self.minimumCheckInterval
  /// As last reported by the sensor.
  private var reported = Acceleration(x: 0, y: 0, z: 0)

  mutating func begin(at acceleration: Acceleration) {
    isOn = true
    reported = acceleration
  }

  mutating func end() {
    isOn = false
  }

  mutating func distrust() {
    isOn = false
    isTrusted = false
  }

  /// The sensor has reported a change.
  mutating func receive(_ acceleration: Acceleration) {
    reported = acceleration
  }

  /// Compares a read with the last report.
  mutating func check(_ read: Acceleration) {
    guard !Self.isChange(from: reported, to: read) else { return distrust() }
    checkInterval = min(2 * checkInterval, Self.maximumCheckInterval)
  }

  /// Whether the difference exceeds twice the hysteresis: once for the sensor, and once for what it measures between two
  /// reports.
  static func isChange(from old: Acceleration, to read: Acceleration) -> Bool {
    max(abs(read.x - old.x), abs(read.y - old.y), abs(read.z - old.z)) > 2 * hysteresis
  }
}
