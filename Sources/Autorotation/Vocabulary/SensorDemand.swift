// SPDX-License-Identifier: MIT

/// How much of the accelerometer is needed now: nothing, enough to notice a movement, or enough to
/// follow one. UIKit's begin/endGeneratingDeviceOrientationNotifications, with a gear between.
package enum SensorDemand: Equatable, Sendable {
  case off, resting, following
}

extension SensorDemand {
  /// From one sample to the next, as long as nobody asks for another rate; `nil` where none is needed.
  ///
  /// At rest a turn is noticed soon enough at 300 ms. Following it at 17 samples a second costs
  /// little delay over 50 (docs/benchmarks.md).
  package var interval: Duration? {
    switch self {
    case .off: nil
    case .resting: .milliseconds(300)
    case .following: .milliseconds(60)
    }
  }
}
