// SPDX-License-Identifier: MIT

/// How much of the accelerometer is needed now: nothing, enough to notice a movement, or enough to
/// follow one. UIKit's begin/endGeneratingDeviceOrientationNotifications, with a step in between.
package enum SensorDemand: Equatable, Sendable {
  case off, resting, following
}

extension SensorDemand {
  /// The interval between samples, unless the person set a rate; `nil` if no samples are needed.
  ///
  /// At rest, 300 ms are enough to notice a turn. Following it at 17 samples per second adds little delay
  /// compared with 50 (docs/benchmarks.md).
  package var interval: Duration? {
    switch self {
    case .off: nil
    case .resting: .milliseconds(300)
    case .following: .milliseconds(60)
    }
  }
}
