// SPDX-License-Identifier: MIT

import Autorotation

/// Debounces iio-sensor-proxy: while its word flaps, an orientation counts only once it has lasted.
///
/// The proxy judges one unfiltered sample each 700 ms, so that a jolt, or a hand that trembles near 45°,
/// gives an orientation that the next sample reverts: 300 to 1200 flips per hour. What lasts for less than one
/// interval was a single sample. But to wait for that at every turn makes each a second late, and most of the time
/// nothing flaps: so a word counts at once, unless one was taken back lately.
///
///     sample    0      700     1400    2100    2800    3500 ms
///     word      normal left-up normal  left-up normal  normal
///     through   normal left-up normal    (flaps: held) normal
///
/// docs/benchmarks.md has what that costs in wrong turns, and what it saves.
nonisolated struct SettledWord {
  /// One step of the proxy, and some for the time that reading takes.
  static let time = Duration.milliseconds(750)
  /// A word that is taken back within this time was none: four steps of the proxy, as a person does not turn and turn
  /// back so quickly.
  private static let flip = Duration.seconds(3)
  /// So long after a flip more of them are expected.
  private static let memory = Duration.seconds(30)

  private var settled: DeviceOrientation?
  private var candidate: (word: DeviceOrientation, due: Instant)?
  private var latest: (word: DeviceOrientation, before: DeviceOrientation?, at: Instant)?
  private var flapsUntil: Instant?

  /// When to call `elapse`.
  var deadline: Instant? { candidate?.due }

  /// - Returns: what is through now, if anything is.
  mutating func hear(_ word: DeviceOrientation, at now: Instant) -> DeviceOrientation? {
    let through = elapse(at: now)
    remember(word, at: now)
    guard word != settled else {
      candidate = nil
      return through
    }
    guard settled != nil, let flapsUntil, now < flapsUntil else {
      candidate = nil
      settled = word
      return word
    }
    if word != candidate?.word { candidate = (word, now + Self.time) }
    return through
  }

  /// - Returns: the word that has stood for long enough by now.
  mutating func elapse(at now: Instant) -> DeviceOrientation? {
    guard let (word, due) = candidate, due <= now else { return nil }
    candidate = nil
    settled = word
    return word
  }

  private mutating func remember(_ word: DeviceOrientation, at now: Instant) {
    guard word != latest?.word else { return }
    if let latest, latest.before == word, now < latest.at + Self.flip { flapsUntil = now + Self.memory }
    latest = (word, latest?.word, now)
  }
}
