// SPDX-License-Identifier: MIT

import Autorotation

/// How long from one read to the next.
///
/// As the judge demands, unless the person set a rate. While the device lies still, every other sample goes to the
/// loop: 2.5 reads per second and fewer than 4 wake-ups.
nonisolated struct ReadingPace {
  /// Nanoseconds.
  private var following = Self.nanoseconds(.following)
  private var resting = Self.nanoseconds(.resting)
  private var still: Int64 = 400_000_000

  /// - Parameter rate: samples a second to follow with; `nil` for as many as the decision needs.
  init(rate: Double? = nil) {
    guard let rate, rate >= 1 else { return }
    following = Int64(1e9 / rate)
    resting = max(resting, following)
    still = max(still, following)
  }

  /// Samples a second to follow with.
  var rate: Double { 1e9 / Double(following) }

  /// Nanoseconds; practically for ever without a demand.
  func interval(_ demand: SensorDemand, isStill: Bool = false) -> Int64 {
    switch demand {
    case .off: Self.nanoseconds(.off)
    case .resting: isStill ? still : resting
    case .following: following
    }
  }

  private static func nanoseconds(_ demand: SensorDemand) -> Int64 {
    demand.interval?.wholeNanoseconds ?? .max / 2
  }
}
