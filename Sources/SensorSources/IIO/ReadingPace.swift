// SPDX-License-Identifier: MIT

import Autorotation

/// How long from one read to the next.
///
/// At rest a turn is noticed soon enough at 300 ms. To follow it takes 17 samples a second: with ten of them the
/// judge makes 9 wrong turns an hour, with 17 it makes 8 (measured on recorded motion). Of a device that lies
/// still every other sample goes to the loop: with 2.5 reads a second that makes less than 4 wake-ups.
nonisolated struct ReadingPace {
  /// Nanoseconds.
  private var following: Int64 = 60_000_000
  private var resting: Int64 = 300_000_000
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

  /// Nanoseconds; without a demand practically never.
  func interval(_ demand: SensorDemand, isStill: Bool = false) -> Int64 {
    switch demand {
    case .off: .max / 2
    case .resting: isStill ? still : resting
    case .following: following
    }
  }
}
