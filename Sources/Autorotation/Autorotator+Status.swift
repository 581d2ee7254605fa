// SPDX-License-Identifier: MIT

extension Autorotator {
  /// The application in focus, by its first name.
  package var application: String? { focus.window?.identifiers.first }

  /// The report: all reasons in the order of the decision, then what stands in its way.
  func status(at now: Instant) -> Status {
    let decision = decision
    return Status(
      device: device, interface: shown, lock: lock, isOnHold: hold != nil, allowed: decision.allowed,
      posture: posture, postureEvidence: postureJudge.testimonies(at: now), sensor: sensor,
      outputs: litPanels.map(\.name),
      application: application, requests: requests, suggestion: suggestion,
      reasons: decision.reasons + (relock == nil ? [] : [.followsOnce])
        + (lockNotSaved.map { [.lockNotSaved($0)] } ?? [])
        + obstacles(to: decision.orientation, at: now) + keptReasons)
  }

  private func obstacles(to target: InterfaceOrientation, at now: Instant) -> [Reason] {
    guard panel != nil else { return [missingPanel] + outages }
    if let desktopTurns { return [.desktopTurns(desktopTurns)] + doubtReasons + outages }
    return turningReasons(target, at: now) + outages
  }

  private var missingPanel: Reason {
    panels.first.map { .panelIsDark($0.name) } ?? .noOutput(named: settings.output)
  }

  private func turningReasons(_ target: InterfaceOrientation, at now: Instant) -> [Reason] {
    if let rotation = turning.rotation { return [.turning(rotation.to)] }
    guard !isShown(target), !isDark else { return [] }
    if let panel = panel(unableToShow: target) { return [.outputCannotTurn(output: panel.name, target)] }
    if let failure = turning.failure, failure.target == target { return [.turningFailed(failure.reason)] }
    if touch.holdsUntil(asked: turning.askedSince) ?? now > now { return [.waitsForFinger] }
    return []
  }

  private var outages: [Reason] {
    var reasons: [Reason] = []
    if !isDisplayOn { reasons.append(.displayIsOff) }
    if !isSessionActive { reasons.append(.sessionIsInactive) }
    if isSuspended { reasons.append(.suspended) }
    if case .lost(let reason) = sensor { reasons.append(.noSensor(reason)) }
    if isImplausible { reasons.append(.sensorIsImplausible) }
    return reasons + settings.faults.map(Reason.settingsAreFaulty)
  }
}
