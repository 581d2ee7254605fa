// SPDX-License-Identifier: MIT

/// How often the accelerometer is needed: not at all, often enough to notice a movement, or often enough to follow one.
/// UIKit's begin/endGeneratingDeviceOrientationNotifications, with a step in between.
package enum SensorDemand: Equatable, Sendable {
  case off, resting, following

  /// The interval between samples, unless the user set a rate; `nil` if no samples are needed.
  ///
  /// At rest, 300 ms are enough to notice a rotation. Following it at 17 samples per second adds little delay compared
  /// with 50 (docs/benchmarks.md).
  package var interval: Duration? {
    switch self {
    case .off: nil
    case .resting: .milliseconds(300)
    case .following: .milliseconds(60)
    }
  }
}

/// The interval from one read to the next.
///
/// It follows the classifier's demand, unless the user set a rate. When a movement begins after rest, reads are quicker
/// for a moment, since much of the movement may be over already. Doing that at each slight movement costs more wrong
/// rotations than it gains (docs/benchmarks.md). While the device is idle, reads come twice a second; after a long rest
/// every 0.6 s, and never less often, since that interval delays the next rotation.
package struct ReadingPace: Sendable {
  /// Nanoseconds, from the rate that the user set.
  private let chosen: Int64?

  /// - Parameter rate: samples a second while following; `nil` for the default.
  package init(rate: Double? = nil) {
    chosen = rate.flatMap { $0 >= 1 ? Int64(1e9 / $0) : nil }
  }

  private var following: Int64 { chosen ?? Self.nanoseconds(.following) }

  /// Samples a second while following.
  package var rate: Double { 1e9 / Double(following) }

  /// How long reads stay quick after a movement began; nanoseconds. A hand rotates the device in about half a second.
  package static let boostTime: Int64 = 400_000_000

  /// Nanoseconds; practically infinite without a demand.
  package func interval(_ demand: SensorDemand, _ rest: Rest = .none, _ boost: Boost = .none) -> Int64 {
    switch (demand, boost, rest) {
    case (.off, _, _): Self.nanoseconds(.off)
    case (_, .movement, _): chosen ?? 15_000_000
    // Long enough for the classifier to see a quiet device (`ClassifierConstants.quietDwell`), so that the second
    // sample decides.
    case (_, .beginning, _): chosen ?? 12_000_000
    case (.following, .none, _): following
    case (.resting, .none, .none): max(Self.nanoseconds(.resting), following)
    case (.resting, .none, .still): max(500_000_000, following)
    // 100 reads a minute. Each is one wake-up, or two where the driver waits for the hardware.
    case (.resting, .none, .longRest): max(600_000_000, following)
    }
  }

  private static func nanoseconds(_ demand: SensorDemand) -> Int64 {
    demand.interval?.wholeNanoseconds ?? .max / 2
  }

  /// Why reads are quicker for a moment.
  package enum Boost: Sendable {
    case none
    /// A movement has just begun after rest.
    case movement
    /// Samples are needed again: the screen may have the wrong orientation.
    case beginning
  }

  /// How long the device has been at rest.
  package enum Rest: Sendable {
    case none, still
    /// So long that the device was probably put down.
    case longRest
  }
}

/// Detects that the device is at rest, so that reads, and wake-ups of the loop, can be rarer. Pure.
package struct Stillness: Sendable {
  /// Nanoseconds.
  package static let restDelay: Int64 = 10_000_000_000
  /// Nanoseconds.
  package static let longRestDelay: Int64 = 30_000_000_000
  /// m/s² on any axis: more than the noise of common sensors, less than 3° of a rotation.
  package static let noiseLimit = 0.5
  /// A device at rest for that long starts a movement when it moves; nanoseconds.
  private static let restTime: Int64 = 1_000_000_000

  /// Until when a movement that began after rest counts as new; nanoseconds.
  package private(set) var movementUntil: Int64 = 0
  /// Where it came to rest, and since when; `nil` before the first sample.
  private var origin: (acceleration: Acceleration, since: Int64)?

  package init() {}

  /// - Parameter now: nanoseconds.
  package func isStill(at now: Int64) -> Bool { origin.map { now - $0.since >= Self.restDelay } ?? false }

  /// - Parameter now: nanoseconds.
  package func rest(at now: Int64) -> ReadingPace.Rest {
    guard let origin, isStill(at: now) else { return .none }
    return now - origin.since >= Self.longRestDelay ? .longRest : .still
  }

  /// - Returns: whether the classifier needs this sample now. At rest it needs none: the last one before a movement can
  ///   come with the first of it.
  package mutating func isNeeded(_ acceleration: Acceleration, at now: Int64) -> Bool {
    guard isNear(acceleration) else {
      if let origin, now - origin.since > Self.restTime { movementUntil = now + ReadingPace.boostTime }
      origin = (acceleration, now)
      return true
    }
    return !isStill(at: now)
  }

  /// Whether the device has moved no further than noise from where it came to rest.
  package func isNear(_ a: Acceleration) -> Bool {
    guard let b = origin?.acceleration else { return false }
    return max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z)) <= Self.noiseLimit
  }
}
