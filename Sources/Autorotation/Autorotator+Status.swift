// SPDX-License-Identifier: MIT

extension Autorotator {
  /// The application in focus, by its first name.
  package var application: String? { applications.focus.window?.identifiers.first }

  /// The report: all reasons in the order of the decision, then what stands in its way.
  func status(_ decision: Decision, at now: Instant) -> Status {
    Status(
      device: device, interface: displays.shown, lock: locking.lock, isOnHold: choice.paused != nil,
      allowed: decision.allowed,
      posture: posture, postureEvidence: postureJudge.testimonies(at: now), sensor: sensor.status,
      outputs: litPanels.map(\.name),
      application: application, requests: applications.requests, suggestion: suggestion.published,
      reasons: decision.reasons + (locking.relock == nil ? [] : [.followsOnce])
        + (locking.notSaved.map { [.lockNotSaved($0)] } ?? [])
        + obstacles(to: decision.orientation, at: now) + keptReasons)
  }

  private func obstacles(to target: InterfaceOrientation, at now: Instant) -> [Reason] {
    guard panel != nil else { return missingPanel + outages }
    if let reason = desktop.rotates { return [.desktopTurns(reason)] + doubtReasons + outages }
    return turningReasons(target, at: now) + outages
  }

  private var missingPanel: [Reason] {
    guard let panel = panels.first else { return [.noOutput(named: settings.output)] }
    // Its own reason is among the outages.
    return panel.switchOnFailure == nil ? [.panelIsDark(panel.name)] : []
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
    var reasons = displays.outputs.compactMap(\.switchOnFailure).map(Reason.outputNotRestored)
    reasons += displays.reasonsForNotVisible
    if case .lost(let reason) = sensor.status { reasons.append(.noSensor(reason)) }
    if sensor.isImplausible { reasons.append(.sensorIsImplausible) }
    return reasons + settings.faults.map(Reason.settingsAreFaulty)
  }
}
