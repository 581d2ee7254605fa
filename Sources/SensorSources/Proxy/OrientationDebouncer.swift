// SPDX-License-Identifier: MIT

import Autorotation

/// Debounces the orientation of iio-sensor-proxy: while it flaps, an orientation is accepted only after it has lasted.
///
/// The proxy classifies one unfiltered sample each 700 ms, so that a jolt, or a trembling hand near 45°, gives an
/// orientation that the next sample reverts: 300 to 1200 flips per hour. An orientation that lasts for less than one
/// interval was a single sample. But debouncing each rotation would delay it by a second, and most of the time nothing
/// flaps: so an orientation is accepted at once, unless one was reverted recently.
///
///     sample    0      700     1400    2100    2800    3500 ms
///     reported  normal left-up normal  left-up normal  normal
///     accepted  normal left-up normal    (debounced)   normal
///
/// docs/benchmarks.md has the wrong rotations that this costs and saves.
nonisolated struct OrientationDebouncer {
  /// One interval of the proxy, and some time for reading.
  static let debounceTime = Duration.milliseconds(750)
  /// An orientation that is reverted within this time was a flip: four intervals of the proxy, since users do not
  /// rotate a device back and forth so quickly.
  private static let flipTime = Duration.seconds(3)
  /// How long after a flip more of them are expected.
  private static let flapping = Duration.seconds(30)

  private var current: DeviceOrientation?
  private var candidate: (orientation: DeviceOrientation, due: Instant)?
  private var latest: (orientation: DeviceOrientation, before: DeviceOrientation?, at: Instant)?
  private var flapsUntil: Instant?

  /// When to call `advance`.
  var deadline: Instant? { candidate?.due }

  /// - Returns: the orientation that is accepted now, if any.
  mutating func receive(_ orientation: DeviceOrientation, at now: Instant) -> DeviceOrientation? {
    let accepted = advance(to: now)
    detectFlip(orientation, at: now)
    guard orientation != current else {
      candidate = nil
      return accepted
    }
    guard let flapsUntil, now < flapsUntil else {
      candidate = nil
      current = orientation
      return orientation
    }
    if orientation != candidate?.orientation { candidate = (orientation, now + Self.debounceTime) }
    return accepted
  }

  /// - Returns: the orientation that has lasted for long enough by now, if any.
  mutating func advance(to now: Instant) -> DeviceOrientation? {
    guard let (orientation, due) = candidate, due <= now else { return nil }
    candidate = nil
    current = orientation
    return orientation
  }

  private mutating func detectFlip(_ orientation: DeviceOrientation, at now: Instant) {
    guard orientation != latest?.orientation else { return }
    if let latest, latest.before == orientation, now < latest.at + Self.flipTime {
      flapsUntil = now + Self.flapping
    }
    latest = (orientation, latest?.orientation, now)
  }
}
