// SPDX-License-Identifier: MIT

/// Everything that bars, scripts and people may want to know about the present state.
package struct Status: Equatable, Sendable {
  package enum Sensor: Equatable, Sendable {
    case searching
    /// Found; asleep while no turn of the device could change the picture.
    case found(name: String, isAsleep: Bool)
    case lost(reason: String)
  }

  package var device: DeviceOrientation
  package var interface: InterfaceOrientation
  package var lock: Lock?
  package var isOnHold: Bool
  package var allowed: OrientationMask
  package var posture: Posture
  package var sensor: Sensor
  /// The output that is turned.
  package var output: String?
  /// The application in focus, by its first name.
  package var application: String?
  package var requests: [OrientationRequest]
  package var suggestion: InterfaceOrientation?
  package var reasons: [Reason]
}

/// Something a person should read once.
package struct Notice: Equatable, Sendable {
  package enum Severity: Sendable {
    case information, warning
  }

  package var severity: Severity
  package var phrase: Phrase
  /// What it is about, where that is a fault: it applies while `Status.reasons` tell of one.
  package var fault: Fault?

  package init(_ severity: Severity, saying phrase: Phrase, of fault: Fault? = nil) {
    self.severity = severity
    self.phrase = phrase
    self.fault = fault
  }

  /// - Parameter text: the words of somebody else, which stay as they are.
  package init(_ severity: Severity, _ text: String, of fault: Fault? = nil) {
    self.init(severity, saying: Phrase(verbatim: text), of: fault)
  }

  /// In English.
  package var text: String { phrase.description }
}
