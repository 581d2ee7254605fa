// SPDX-License-Identifier: MIT

import Autorotation

/// Decides whether the daemon exits because it has no sensor, or no display that can be rotated.
struct ExitPolicy {
  private var hadSensor = false
  private(set) var hadOutputs = false

  /// A sensor or display that was there once may come back, so its loss is no reason to exit.
  mutating func shouldExit(after event: Event, hasNothingToRotate: Bool) -> Bool {
    switch event {
    case .sensorFound: hadSensor = true
    case .sensorLost: return !hadSensor
    case .outputsChanged where !hadOutputs:
      hadOutputs = true
      return hasNothingToRotate
    default: break
    }
    return false
  }
}
