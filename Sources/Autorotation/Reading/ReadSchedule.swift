// SPDX-License-Identifier: MIT

/// When the accelerometer is read next, and which of its samples the classifier gets.
///
/// The daemon's reader follows it, and so does the benchmark's rule `autorotate-paced`: the figures are of what runs.
package struct ReadSchedule: Sendable {
  private let pace: ReadingPace
  private var stillness = Stillness()
  /// Nanoseconds.
  package var latestRead: Int64 = 0
  /// Since it is needed: the screen may be wrong from before.
  private var eagerUntil: Int64 = 0
  /// The last sample that the classifier did not need.
  package private(set) var withheld: (sample: MotionSample, moment: Instant)?

  /// A sample was true until now, but the classifier starts over after a second. Nanoseconds.
  private static let longestStep: Int64 = 900_000_000

  package init(pace: ReadingPace = ReadingPace()) {
    self.pace = pace
  }

  /// The classifier gets what is read next, whatever it is.
  package mutating func startOver() {
    stillness = Stillness()
    withheld = nil
  }

  /// Samples are needed again.
  /// - Parameter now: nanoseconds.
  package mutating func resume(at now: Int64) {
    startOver()
    eagerUntil = now + ReadingPace.eagerTime
  }

  /// Nanoseconds from the latest read to the next.
  package func interval(_ demand: SensorDemand) -> Int64 {
    pace.interval(demand, stillness.rest(at: latestRead), haste)
  }

  private var haste: ReadingPace.Haste {
    latestRead < eagerUntil ? .beginning : latestRead < stillness.setsOutUntil ? .movement : .none
  }

  /// Nanoseconds after a failed read.
  package var intervalAfterFailure: Int64 { pace.interval(.following) }

  /// - Parameter now: nanoseconds.
  package func isStill(at now: Int64) -> Bool { stillness.isStill(at: now) }

  /// Whether that is where the device has been lying.
  package func isNear(_ a: Acceleration) -> Bool { stillness.isNear(a) }

  /// Decides whether the classifier gets a sample. What was read before the first movement comes with it: the classifier
  /// has to know from where the device moves.
  /// - Parameters:
  ///   - moment: of the measurement.
  ///   - now: nanoseconds.
  /// - Returns: whether it does; and the sample before, if that comes first, with the moment until which it was true.
  package mutating func report(
    _ sample: MotionSample, at moment: Instant, now: Int64, demand: SensorDemand
  ) -> (before: (sample: MotionSample, moment: Instant)?, isReported: Bool) {
    let isNews = stillness.isNews(sample.acceleration, at: now) || demand == .following
    guard demand != .off else { return (nil, false) }
    guard isNews else {
      withheld = (sample, moment)
      return (nil, false)
    }
    defer { withheld = nil }
    let latest = Instant(nanoseconds: moment.nanoseconds - Self.longestStep)
    return (withheld.map { ($0.sample, max($0.moment, latest)) }, true)
  }
}
