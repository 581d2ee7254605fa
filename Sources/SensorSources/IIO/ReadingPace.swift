// SPDX-License-Identifier: MIT

import Autorotation

/// How long from one read to the next.
///
/// As the judge demands, unless the person set a rate. When a movement out of calm begins it is read more quickly for a
/// moment, since much of it may be over already; done at each restless moment, that costs more wrong turns than it
/// gains (docs/benchmarks.md). While the device lies still the loop sleeps on, and it is looked at twice a second; left
/// alone for longer, as seldom as two wake-ups a second allow, of which a look takes two where the driver lets it wait
/// for the hardware.
nonisolated struct ReadingPace {
  /// Nanoseconds.
  private var following = Self.nanoseconds(.following)
  private var resting = Self.nanoseconds(.resting)
  private var still: Int64 = 500_000_000
  /// 100 a minute: of the 120 that are allowed, some are not the program's own will.
  private static let aWakeUp: Int64 = 600_000_000
  private var eager: Int64 = 15_000_000
  /// A little longer than what the judge has to see of a quiet hold (`JudgeNumbers.quietDwell`), so that at the beginning
  /// the second sample decides.
  private var first: Int64 = 12_000_000

  /// - Parameter rate: samples a second to follow with; `nil` for as many as the decision needs.
  init(rate: Double? = nil) {
    guard let rate, rate >= 1 else { return }
    following = Int64(1e9 / rate)
    resting = max(resting, following)
    still = max(still, following)
    eager = following
    first = following
  }

  /// Samples a second to follow with.
  var rate: Double { 1e9 / Double(following) }

  /// How long a movement has just begun; nanoseconds. A hand turns the device in about half a second.
  static let eagerTime: Int64 = 400_000_000

  /// Nanoseconds; practically for ever without a demand.
  func interval(_ demand: SensorDemand, _ rest: Rest = .none, _ haste: Haste = .none) -> Int64 {
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
    case .deep(let wakeUps): max(still, Int64(wakeUps) * Self.aWakeUp)
    }
  }

  private static func nanoseconds(_ demand: SensorDemand) -> Int64 {
    demand.interval?.wholeNanoseconds ?? .max / 2
  }
}

extension ReadingPace {
  /// Why it is read more quickly for a moment.
  enum Haste {
    case none
    /// One out of calm has just begun.
    case movement
    /// It is needed again: the picture may be wrong from before.
    case beginning
  }

  /// For how long nothing has moved.
  enum Rest {
    case none, still
    /// So long that somebody who turns it now has left it alone before.
    /// - Parameter wakeUps: what one look takes of them.
    case deep(wakeUps: Int)
  }
}

/// Detects that the device lies still, so that it can be read, and the loop woken, less often. Pure.
nonisolated struct Stillness {
  /// Nanoseconds.
  static let patience: Int64 = 10_000_000_000
  /// Nanoseconds.
  static let longPatience: Int64 = 30_000_000_000
  /// m/s² on any axis: more than the noise of common sensors, less than 3° of a turn.
  static let tremble = 0.5
  /// Whoever has not moved for that long sets out when he does; nanoseconds.
  private static let calm: Int64 = 1_000_000_000

  /// So long after a movement out of calm has begun.
  private(set) var setsOutUntil: Int64 = 0
  private var place = Acceleration(x: 0, y: 0, z: 0)
  private var since = Int64.min

  /// - Parameter now: nanoseconds.
  func isStill(at now: Int64) -> Bool {
    since != .min && now - since >= Self.patience
  }

  /// - Parameters:
  ///   - now: nanoseconds.
  ///   - wakeUps: what one look takes of them.
  func rest(at now: Int64, wakeUps: Int = 1) -> ReadingPace.Rest {
    guard isStill(at: now) else { return .none }
    return now - since >= Self.longPatience ? .deep(wakeUps: wakeUps) : .still
  }

  /// - Returns: whether the judge needs this sample now. While the device lies still it needs none: the last one before a
  ///   movement can be told with the first of it.
  mutating func isNews(_ acceleration: Acceleration, at now: Int64) -> Bool {
    guard isNear(acceleration) else {
      if since != .min, now - since > Self.calm { setsOutUntil = now + ReadingPace.eagerTime }
      place = acceleration
      since = now
      return true
    }
    return !isStill(at: now)
  }

  /// Whether that is where the device has been lying.
  func isNear(_ a: Acceleration) -> Bool {
    since != .min && max(abs(a.x - place.x), abs(a.y - place.y), abs(a.z - place.z)) <= Self.tremble
  }
}
