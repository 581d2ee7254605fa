// SPDX-License-Identifier: MIT

/// What keeps the picture from turning and does not go away by itself: the person has to act.
package enum Fault: CaseIterable, Sendable {
  case noSensor, implausibleSensor, noOutput, fixedOutput, turningFailed, settings
}

extension Reason {
  /// The fault that this tells of, for as long as it is among the reasons.
  package var fault: Fault? {
    switch self {
    case .noSensor: .noSensor
    case .sensorIsImplausible: .implausibleSensor
    case .noOutput: .noOutput
    case .outputCannotTurn: .fixedOutput
    case .turningFailed: .turningFailed
    case .settingsAreFaulty: .settings
    default: nil
    }
  }
}
