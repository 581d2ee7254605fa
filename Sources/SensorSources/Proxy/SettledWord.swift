// SPDX-License-Identifier: MIT

import Autorotation

/// Debounces iio-sensor-proxy: an orientation counts once it has lasted for a while.
///
/// The proxy judges one unfiltered sample each 700 ms, so that a jolt, or a hand that trembles near 45°,
/// gives an orientation that the next sample reverts: 300 to 1200 flips per hour. What lasts for less than one
/// interval was a single sample. The first orientation cannot be a flip, and counts at once.
///
///     sample    0      700     1400    2100    2800 ms
///     word      normal left-up normal  left-up left-up
///     through   normal                              left-up (at 2850)
nonisolated struct SettledWord {
  /// One step of the proxy, and some for the time that reading takes.
  static let time = Duration.milliseconds(750)

  private var settled: DeviceOrientation?
  private var candidate: (word: DeviceOrientation, due: Instant)?

  /// When to call `elapse`.
  var deadline: Instant? { candidate?.due }

  /// - Returns: what is through now, if anything is.
  mutating func hear(_ word: DeviceOrientation, at now: Instant) -> DeviceOrientation? {
    guard settled != nil else {
      settled = word
      return word
    }
    let through = elapse(at: now)
    if word == settled {
      candidate = nil
    } else if word != candidate?.word {
      candidate = (word, now + Self.time)
    }
    return through
  }

  /// - Returns: the word that has stood for long enough by now.
  mutating func elapse(at now: Instant) -> DeviceOrientation? {
    guard let (word, due) = candidate, due <= now else { return nil }
    candidate = nil
    settled = word
    return word
  }
}
