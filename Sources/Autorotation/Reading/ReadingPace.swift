// SPDX-License-Identifier: MIT

/// How long from one read to the next.
///
/// As the classifier demands, unless the user set a rate. When a movement out of calm begins it is read more quickly for a
/// moment, since much of it may be over already; done at each restless moment, that costs more wrong rotations
/// than it gains (docs/benchmarks.md). While the device is at rest the loop sleeps on, and it is read twice a second; after a long
/// rest every 0.6 s, and never less often, since that is what
/// rest adds to a rotation.
package struct ReadingPace: Sendable {
  /// Nanoseconds.
  private var following = Self.nanoseconds(.following)
  private var resting = Self.nanoseconds(.resting)
  private var still: Int64 = 500_000_000
  /// 100 reads a minute. Each is one wake-up, or two where the driver waits for the hardware.
  private var deep: Int64 = 600_000_000
  private var eager: Int64 = 15_000_000
  /// Long enough for the classifier to see a quiet device (`ClassifierConstants.quietDwell`), so that at the beginning the
  /// second sample decides.
  private var first: Int64 = 12_000_000

  /// - Parameter rate: samples a second to follow with; `nil` for as many as the decision needs.
  package init(rate: Double? = nil) {
    guard let rate, rate >= 1 else { return }
    following = Int64(1e9 / rate)
    resting = max(resting, following)
    still = max(still, following)
    deep = max(deep, following)
    eager = following
    first = following
  }

  /// Samples a second to follow with.
  package var rate: Double { 1e9 / Double(following) }

  /// How long a movement has just begun; nanoseconds. A hand turns the device in about half a second.
  package static let eagerTime: Int64 = 400_000_000

  /// Nanoseconds; practically for ever without a demand.
  package func interval(_ demand: SensorDemand, _ rest: Rest = .none, _ haste: Haste = .none) -> Int64 {
    switch demand {
    case .off: Self.nanoseconds(.off)
    case .resting: interval(haste) ?? interval(rest)
    case .following: interval(haste) ?? following
    }
  }

  private func interval(_ haste: Haste) -> Int64? {
    switch haste {
    case .none: nil
    case .movement: eager
    case .beginning: first
    }
  }

  private func interval(_ rest: Rest) -> Int64 {
    switch rest {
    case .none: resting
    case .still: still
    case .deep: deep
    }
  }

  private static func nanoseconds(_ demand: SensorDemand) -> Int64 {
    demand.interval?.wholeNanoseconds ?? .max / 2
  }
}

extension ReadingPace {
  /// Why it is read more quickly for a moment.
  package enum Haste: Sendable {
    case none
    /// One out of calm has just begun.
    case movement
    /// It is needed again: the picture may be wrong from before.
    case beginning
  }

  /// For how long nothing has moved.
  package enum Rest: Sendable {
    case none, still
    /// So long that somebody who turns it now has left it alone before.
    case deep
  }
}

/// Detects that the device lies still, so that it can be read, and the loop woken, less often. Pure.
package struct Stillness: Sendable {
  /// Nanoseconds.
  package static let patience: Int64 = 10_000_000_000
  /// Nanoseconds.
  package static let longPatience: Int64 = 30_000_000_000
  /// m/s² on any axis: more than the noise of common sensors, less than 3° of a turn.
  package static let tremble = 0.5
  /// What has been at rest for that long begins a movement when it moves; nanoseconds.
  private static let calm: Int64 = 1_000_000_000

  /// So long after a movement out of calm has begun.
  package private(set) var setsOutUntil: Int64 = 0
  private var place = Acceleration(x: 0, y: 0, z: 0)
  private var since = Int64.min

  package init() {}

  /// - Parameter now: nanoseconds.
  package func isStill(at now: Int64) -> Bool {
    since != .min && now - since >= Self.patience
  }

  /// - Parameter now: nanoseconds.
  package func rest(at now: Int64) -> ReadingPace.Rest {
    guard isStill(at: now) else { return .none }
    return now - since >= Self.longPatience ? .deep : .still
  }

  /// - Returns: whether the classifier needs this sample now. While the device lies still it needs none: the last one before a
  ///   movement can be told with the first of it.
  package mutating func isNews(_ acceleration: Acceleration, at now: Int64) -> Bool {
    guard isNear(acceleration) else {
      if since != .min, now - since > Self.calm { setsOutUntil = now + ReadingPace.eagerTime }
      place = acceleration
      since = now
      return true
    }
    return !isStill(at: now)
  }

  /// Whether that is where the device has been lying.
  package func isNear(_ a: Acceleration) -> Bool {
    since != .min && max(abs(a.x - place.x), abs(a.y - place.y), abs(a.z - place.z)) <= Self.tremble
  }
}
