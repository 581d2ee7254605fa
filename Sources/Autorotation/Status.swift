// SPDX-License-Identifier: MIT

/// The present state, for bars, scripts and users.
package struct Status: Equatable, Sendable {
  package enum Sensor: Equatable, Sendable {
    case searching
    /// Found; asleep while no rotation of the device can change the screen.
    case found(name: String, isAsleep: Bool)
    case lost(Message)
  }

  package var device: DeviceOrientation
  package var interface: InterfaceOrientation
  /// The panel's aspect in normal orientation, if it is known.
  package var naturalAspect: PanelAspect?
  package var lock: Lock?
  package var isPaused: Bool
  package var allowed: OrientationMask
  package var posture: Posture
  /// All posture inputs, in a fixed order.
  package var postureEvidence: [PostureReading]
  package var sensor: Sensor
  /// The outputs that rotate, if they are active.
  package var outputs: [String]
  /// The application in focus, by its first name.
  package var application: String?
  package var requests: [OrientationRequest]
  package var suggestion: InterfaceOrientation?
  package var reasons: [Reason]

  /// The reasons for the user.
  package var messages: [Message] { reasons.map { $0.message(on: naturalAspect) } }
}

/// The properties on the bus.
package enum StatusProperty: String, CaseIterable, Sendable {
  case interfaceOrientation, deviceOrientation, naturalOrientation, lock, lockEnd, lockEndTime,
    lockApplication, onHold, paused,
    held
  case allowed, posture, postureEvidence, sensor, sensorState, output, outputs, application, suggestion
  case reasons, localReasons, reasonCodes

  /// "InterfaceOrientation"
  package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
