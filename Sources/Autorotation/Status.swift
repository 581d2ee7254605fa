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
  package var suggestion: InterfaceOrientation?
  package var reasons: [Reason]

  /// The reasons for the user.
  package var messages: [Message] { reasons.map { $0.message(on: naturalAspect) } }
}

/// The properties on the bus.
package enum StatusProperty: String, CaseIterable, Sendable {
  case interfaceOrientation, deviceOrientation, naturalOrientation, lock, lockEnd, lockEndTime,
    lockApplication, onHold, paused, held
  case allowed, posture, postureEvidence, sensor, sensorState, output, outputs, application, suggestion
  case reasons, localReasons, reasonCodes

  /// "InterfaceOrientation"
  package var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension Autorotator {
  /// The application in focus, by its first name.
  package var application: String? { applications.focus.window?.identifiers.first }

  /// The title of the focused window, while a rule depends on titles.
  package var title: String? { applications.focus.window?.title }

  /// All reasons: of displays that keep their rotation, then in the order of the decision, then the obstacles to it.
  /// The last one decides, and `status --follow` shows it. While the desktop rotates, the decision has no effect.
  func status(_ decision: Decision, at now: Instant) -> Status {
    let ownReasons = desktop.rotationReason == nil ? decision.reasons : []
    return Status(
      device: device, interface: displays.shown, naturalAspect: naturalAspect, lock: locking.lock,
      isPaused: choice.paused != nil, allowed: decision.allowed, posture: posture,
      postureEvidence: postureResolver.readings(at: now), sensor: sensor.status,
      outputs: activePanels.map(\.name), application: application, suggestion: suggestion.published,
      reasons: keptOutputReasons + ownReasons + (locking.relock == nil ? [] : [.unlockedOnce])
        + (locking.saveFailure.map { [.lockNotSaved($0)] } ?? [])
        + obstacles(to: decision.orientation, at: now))
  }

  private func obstacles(to target: InterfaceOrientation, at now: Instant) -> [Reason] {
    guard panel != nil else { return missingPanel + faults }
    if let reason = desktop.rotationReason {
      let findings: [Reason] = desktop.finding.map { [.desktopNotRotating($0)] } ?? []
      return [.desktopRotates(reason)] + findings + faults
    }
    return rotationReasons(target, at: now) + faults
  }

  private var missingPanel: [Reason] {
    guard !displays.outputs.isEmpty else { return [.noOutputReported] }
    guard let panel = panels.first else { return [.noOutput(named: settings.output)] }
    // If switching the panel on failed, `faults` has the reason.
    return panel.switchOnFailure == nil ? [.panelIsOff(panel.name)] : []
  }

  private func rotationReasons(_ target: InterfaceOrientation, at now: Instant) -> [Reason] {
    if let rotation = progress.rotation { return [.rotating(rotation.to)] }
    guard !isInvisible else { return [] }
    guard !isShown(target) else {
      return activePanels.first(where: \.isFixed).map { [.outputIsFixed($0.name)] } ?? []
    }
    if let panel = panel(unableToShow: target) { return [.outputCannotRotate(output: panel.name, target)] }
    if let failure = progress.failure, failure.target == target {
      return [.lastRotationFailed(failure.reason)]
    }
    if touch.waitEnd(asked: progress.askedSince) ?? now > now { return [.waitsForFinger] }
    return []
  }

  private var faults: [Reason] {
    var reasons = displays.outputs.compactMap(\.switchOnFailure).map(Reason.outputNotRestored)
    reasons += displays.reasonsForNotVisible
    if case .lost(let reason) = sensor.status { reasons.append(.noSensor(reason)) }
    if sensor.isImplausible { reasons.append(.sensorIsImplausible) }
    return reasons + settings.faults.map(Reason.settingsAreFaulty)
  }
}
