// SPDX-License-Identifier: MIT

/// How often the accelerometer is needed: not at all, often enough to notice a movement, or often enough to follow one.
/// UIKit's begin/endGeneratingDeviceOrientationNotifications, with a step in between.
package enum SensorDemand: Equatable, Sendable {
  case off, resting, following
}

/// When the accelerometer is read next, and which of its samples reach the classifier.
///
/// The daemon's reader and the benchmark's rule `autorotate-paced` share it, so that the figures are those of the
/// daemon. Reads follow the classifier's demand, unless the user set a rate. When a movement begins after rest, they are
/// quicker for a moment, since much of the movement may be over already. Doing that at each slight movement costs more
/// wrong rotations than it gains (docs/benchmarks.md).
package struct ReadSchedule: Sendable {
  /// Nanoseconds, from the rate that the user set.
  private let chosen: Int64?
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

  /// How long reads stay quick after a movement began; nanoseconds. A hand rotates the device in about half a second.
  package static let boostTime: Int64 = 400_000_000

  /// - Parameter rate: samples a second while following; `nil` for the default.
  package init(rate: Double? = nil) {
    chosen = rate.flatMap { $0 >= 1 ? Int64(1e9 / $0) : nil }
  }

  /// Nanoseconds from one read to the next while following, and after a failed read. 17 samples a second add little delay
  /// compared with 50 (docs/benchmarks.md).
  package var following: Int64 { chosen ?? 60_000_000 }

  /// Samples a second while following.
  package var rate: Double { 1e9 / Double(following) }

  /// The next sample reaches the classifier in any case.
  package mutating func startOver() {
    stillness = Stillness()
    skipped = nil
  }

  /// Samples are needed again.
  /// - Parameter now: nanoseconds.
  package mutating func resume(at now: Int64) {
    startOver()
    boostUntil = now + Self.boostTime
  }

  /// Nanoseconds from the latest read to the next; practically infinite without a demand.
  package func interval(_ demand: SensorDemand) -> Int64 {
    if demand == .off { return .max / 2 }
    // Long enough for the classifier to see a quiet device (`ClassifierConstants.quietDwell`), so that the second
    // sample decides.
    if latestRead < boostUntil { return chosen ?? 12_000_000 }
    if latestRead < stillness.movementUntil { return chosen ?? 15_000_000 }
    return demand == .following ? following : max(stillness.interval(at: latestRead), following)
  }

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
