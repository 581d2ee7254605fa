// SPDX-License-Identifier: MIT

import Autorotation

/// Whether a sensor is relied upon to tell of changes by itself.
///
/// Some hubs may not do what they were told, and would leave the picture as it is for ever. So what they say is compared
/// with a read from time to time, ever more seldom while it holds; the first that has kept something back ends it.
nonisolated struct Doze {
  /// m/s²: some 2° of tilt, more than the noise of common sensors, and less than `Stillness.noiseLimit`, so that what is not
  /// told would not have been news.
  static let hysteresis = 0.4
  /// Nanoseconds.
  private static let shortestPatience: Int64 = 120_000_000_000
  private static let longestPatience: Int64 = 3_600_000_000_000

  private(set) var isOn = false
  private(set) var isTrusted = true
  private(set) var patience = Self.shortestPatience
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

  /// The sensor has told this.
  mutating func hear(_ place: Acceleration) {
    self.place = place
  }

  /// This was read, and the sensor had told nothing.
  mutating func check(_ read: Acceleration) {
    guard !Self.isChange(from: place, to: read) else { return distrust() }
    patience = min(2 * patience, Self.longestPatience)
  }

  /// Whether that is more than a sensor keeps to itself: its hysteresis, and as much again for what it measures between
  /// two reports.
  static func isChange(from place: Acceleration, to read: Acceleration) -> Bool {
    max(abs(read.x - place.x), abs(read.y - place.y), abs(read.z - place.z)) > 2 * hysteresis
  }
}
