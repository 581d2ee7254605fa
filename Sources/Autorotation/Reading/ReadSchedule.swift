// SPDX-License-Identifier: MIT

/// When the accelerometer is read next, and which of its samples reach the classifier.
///
/// The daemon's reader and the benchmark's rule `autorotate-paced` share it, so that the figures are those of the
/// daemon.
package struct ReadSchedule: Sendable {
  private let pace: ReadingPace
  private var stillness = Stillness()
  /// Nanoseconds.
  package var latestRead: Int64 = 0
  /// Reads are quick until then, after samples were needed again: the screen may have the wrong orientation.
  /// Nanoseconds.
  private var boostUntil: Int64 = 0
  /// The last sample that the classifier did not need.
  package private(set) var skipped: (sample: MotionSample, moment: Instant)?

  /// A skipped sample is valid until the next one, but the classifier starts over after a gap of a second. Nanoseconds.
  private static let maximumStep: Int64 = 900_000_000

  package init(pace: ReadingPace = ReadingPace()) {
    self.pace = pace
  }

  /// The next sample reaches the classifier in any case.
  package mutating func startOver() {
    stillness = Stillness()
    skipped = nil
  }

  /// Samples are needed again.
  /// - Parameter now: nanoseconds.
  package mutating func resume(at now: Int64) {
    startOver()
    boostUntil = now + ReadingPace.boostTime
  }

  /// Nanoseconds from the latest read to the next.
  package func interval(_ demand: SensorDemand) -> Int64 {
    pace.interval(demand, stillness.rest(at: latestRead), boost)
  }

  private var boost: ReadingPace.Boost {
    latestRead < boostUntil ? .beginning : latestRead < stillness.movementUntil ? .movement : .none
  }

  /// Nanoseconds after a failed read.
  package var intervalAfterFailure: Int64 { pace.interval(.following) }

  /// Whether the device was at rest at the latest read.
  package var isStill: Bool { stillness.isStill(at: latestRead) }

  /// Whether the device has moved no further than noise.
  package func isNear(_ a: Acceleration) -> Bool { stillness.isNear(a) }

  /// Decides whether a sample reaches the classifier. The last skipped sample precedes the first one of a movement:
  /// the classifier has to know where the device moves from.
  /// - Parameters:
  ///   - moment: when it was measured.
  ///   - now: nanoseconds.
  /// - Returns: whether it does; and the last skipped sample, if there is one,
  ///   with the moment until which it was valid.
  package mutating func report(
    _ sample: MotionSample, at moment: Instant, now: Int64, demand: SensorDemand
  ) -> (before: (sample: MotionSample, moment: Instant)?, isReported: Bool) {
    let isNeeded = stillness.isNeeded(sample.acceleration, at: now) || demand == .following
    guard demand != .off else { return (nil, false) }
    guard isNeeded else {
      skipped = (sample, moment)
      return (nil, false)
    }
    defer { skipped = nil }
    let latest = Instant(nanoseconds: moment.nanoseconds - Self.maximumStep)
    return (skipped.map { ($0.sample, max($0.moment, latest)) }, true)
  }
}
