// SPDX-License-Identifier: MIT

import Autorotation

/// Whether there is anything to stay for: without a sensor, or a display that turns, there is not, unless one may come.
struct Prospects {
  private var hadSensor = false
  private(set) var hadOutputs = false

  /// Whether what has happened leaves nothing to stay for. What once was there may come back.
  mutating func end(with event: Event, hasNothingToTurn: Bool) -> Bool {
    switch event {
    case .sensorFound: hadSensor = true
    case .sensorLost: return !hadSensor
    case .outputsChanged where !hadOutputs:
      hadOutputs = true
      return hasNothingToTurn
    default: break
    }
    return false
  }
}
