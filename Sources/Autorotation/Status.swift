// SPDX-License-Identifier: MIT

/// Everything that bars, scripts and people may want to know about the present state.
package struct Status: Equatable, Sendable {
  package enum Sensor: Equatable, Sendable {
    case searching
    /// Found; asleep while no turn of the device could change the picture.
    case found(name: String, isAsleep: Bool)
    case lost(Message)
  }

  package var device: DeviceOrientation
  package var interface: InterfaceOrientation
  package var lock: Lock?
  package var isOnHold: Bool
  package var allowed: OrientationMask
  package var posture: Posture
  /// All that tells of the posture, the same order each time.
  package var postureEvidence: [PostureTestimony]
  package var sensor: Sensor
  /// The outputs that are turned, as far as they are lit.
  package var outputs: [String]
  /// The application in focus, by its first name.
  package var application: String?
  package var requests: [OrientationRequest]
  package var suggestion: InterfaceOrientation?
  package var reasons: [Reason]
}

/// What of it can be read on the bus.
package enum StatusProperty: String, CaseIterable, Sendable {
  case interfaceOrientation, deviceOrientation, lock, lockEnd, lockEndTime, lockApplication, onHold, paused,
    held
  case allowed, posture, postureEvidence, sensor, sensorState, output, outputs, application, suggestion
  case reasons, localReasons, reasonCodes

  /// "InterfaceOrientation"
  package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
