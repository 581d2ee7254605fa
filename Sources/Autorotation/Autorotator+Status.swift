// SPDX-License-Identifier: MIT

extension Autorotator {
  /// The application in focus, by its first name.
  package var application: String? { applications.focus.window?.identifiers.first }

  /// The title of the focused window, while a rule depends on titles.
  package var title: String? { applications.focus.window?.title }

  /// All reasons in the order of the decision, then the obstacles to it.
  func status(_ decision: Decision, at now: Instant) -> Status {
    Status(
      device: device, interface: displays.shown, naturalAspect: naturalAspect, lock: locking.lock,
      isPaused: choice.paused != nil,
      allowed: decision.allowed,
      posture: posture, postureEvidence: postureResolver.readings(at: now), sensor: sensor.status,
      outputs: activePanels.map(\.name),
      application: application, requests: applications.requests, suggestion: suggestion.published,
      reasons: decision.reasons + (locking.relock == nil ? [] : [.unlockedOnce])
        + (locking.saveFailure.map { [.lockNotSaved($0)] } ?? [])
        + obstacles(to: decision.orientation, at: now) + keptOutputReasons)
  }

  private func obstacles(to target: InterfaceOrientation, at now: Instant) -> [Reason] {
    guard panel != nil else { return missingPanel + faults }
    if let reason = desktop.rotationReason { return [.desktopRotates(reason)] + notRotatingReasons + faults }
    return rotationReasons(target, at: now) + faults
  }

  private var missingPanel: [Reason] {
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
