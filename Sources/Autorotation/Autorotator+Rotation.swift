// SPDX-License-Identifier: MIT

// From the decision to the screen.
extension Autorotator {
  var focusedRule: ApplicationRule? { focusedRule(isPlaying: applications.playback.isPlaying) }

  /// The rule for the window in focus, if its application plays or does not.
  func focusedRule(isPlaying: Bool) -> ApplicationRule? {
    applications.focus.window.flatMap { settings.rules.rule(for: $0, in: posture, isPlaying: isPlaying) }
  }

  var laptopOrientation: InterfaceOrientation? {
    settings.rotateIn == .tablet && !posture.isTreatedAsTablet ? settings.laptopOrientation : nil
  }

  package var situation: Situation {
    Situation(
      settings: settings, naturalAspect: naturalAspect ?? .landscape, window: applications.focus.window,
      rule: focusedRule, awaitingPlay: ruleAwaitingPlay, requests: applications.requests,
      lock: locking.lock, choice: choice, laptopOrientation: laptopOrientation, external: blockingMonitor,
      posture: posture, device: device, shown: displays.shown)
  }

  var decision: Decision { situation.decide() }

  /// Starts a rotation if one is needed and nothing prevents it.
  mutating func startRotation(to decision: Decision, at now: Instant) {
    guard progress.phase == .idle, desktop.rotationReason == nil else { return }
    guard panel != nil, !isInvisible else {
      progress.askedSince = nil
      return
    }
    let target = decision.orientation
    guard !isShown(target) else {
      progress.askedSince = nil
      progress.failure = nil
      return
    }
    if let unable = panel(unableToShow: target) {
      progress.askedSince = nil
      return reportUnable(unable, to: target)
    }
    guard !progress.isBlocked(target, at: now), waitEnd(of: decision) ?? now <= now else { return }
    begin(nextRotation(to: target, because: decision.reasons), at: now)
  }

  /// Until when a decided rotation has to wait, for a finger or for the first report of the sensor or of the focused
  /// window.
  func waitEnd(of decision: Decision) -> Instant? {
    guard progress.phase == .idle, desktop.rotationReason == nil, panel != nil, !isInvisible,
      !isShown(decision.orientation)
    else { return nil }
    let finger = touch.waitEnd(asked: progress.askedSince)
    let report = decision.reasons.contains(.notUpright(.unknown)) ? sensor.firstReportDue : nil
    let focused = focusedAppMatters ? applications.focus.firstReportDue : nil
    return [finger, report, focused].compactMap { $0 }.max()
  }

  private var focusedAppMatters: Bool {
    !settings.rules.isEmpty && !(locking.lock != nil && settings.lockOverApps)
  }

  /// Precondition: an active panel is not at `target`.
  private mutating func nextRotation(to target: InterfaceOrientation, because reasons: [Reason]) -> Rotation {
    progress.count += 1
    let active = activePanels
    let rotated = displays.shown == target ? active.filter { $0.orientation != target } : active
    let size = rotated[0].rotatedSize(with: rotated[0].transform(toShow: target))
    return Rotation(
      from: rotated[0].orientation, to: target, outputs: rotated.map(\.name), width: size.width,
      height: size.height, number: progress.count, reasons: reasons)
  }

  private mutating func begin(_ rotation: Rotation, at now: Instant) {
    progress.phase = .preparing(rotation, due: now + RotationProgress.preparationTimeout)
    progress.askedSince = nil
    progress.becameInvisible = false
    actions.append(.willRotate(rotation))
  }

  /// Applies the rotation, unless the decision or the displays have changed since it was announced.
  mutating func prepared(at now: Instant) {
    guard case .preparing(let rotation, _) = progress.phase else { return }
    // The output whose size was announced must still be active.
    guard activePanels.contains(where: { $0.name == rotation.output }), !isInvisible,
      decision.orientation == rotation.to, panel(unableToShow: rotation.to) == nil
    else { return cancel(rotation) }
    let changes = activePanels.map { PanelRotation($0.name, to: $0.transform(toShow: rotation.to)) }
    progress.phase = .applying(rotation, changes, due: now + RotationProgress.applyTimeout)
    actions.append(.apply(rotation, changes))
  }

  /// Reports that the rotation was cancelled: each willRotate is followed by a didRotate.
  mutating func cancel(_ rotation: Rotation) {
    progress.phase = .idle
    // Another program may have rotated it meanwhile.
    if let panel { displays.shown = panel.orientation }
    var cancelled = rotation.cancelled
    if let output = displays[rotation.output].map({ mounted($0) }) {
      cancelled.from = output.orientation
      cancelled.to = cancelled.from
      (cancelled.width, cancelled.height) = output.rotatedSize
    }
    actions.append(.didRotate(cancelled))
  }

  mutating func finished(_ rotation: Rotation) {
    guard case .applying(rotation, let changes, _) = progress.phase else {
      // It timed out and was reported as cancelled, so its end is not reported.
      if let changes = progress.forget(rotation) { recordApplied(changes) }
      return
    }
    progress.phase = .idle
    progress.failure = nil
    progress.forgetRotations(before: rotation)
    recordApplied(changes)
    actions.append(.didRotate(rotation))
    lockAgain(after: rotation)
  }

  private mutating func recordApplied(_ changes: [PanelRotation]) {
    for change in changes { displays.apply(change) }
    if let panel, !isRotating(panel) { displays.shown = panel.orientation }
  }

  mutating func failed(_ rotation: Rotation, _ reason: Message, at now: Instant) {
    let isUnanswered = reason.code == .rotationUnanswered
    guard case .applying(rotation, let changes, _) = progress.phase else {
      // If it was given up before, it is already known that it may still be applied.
      if !isUnanswered { progress.forget(rotation) }
      return
    }
    cancel(rotation)
    // One that is shown by now has been applied.
    if isUnanswered, !isShown(rotation.to) { progress.recordUnanswered(rotation, changes) }
    // If other outputs are rotated by now, the failure of this one does not matter.
    guard activePanels.contains(where: { rotation.outputs.contains($0.name) }) else { return }
    if !isInvisible, !progress.becameInvisible { progress.fail(rotation, reason: reason, at: now) }
  }

  mutating func reportFailure(at now: Instant) {
    guard let failure = progress.failure, let due = failure.reportAt, due <= now else { return }
    progress.failure?.reportAt = nil
    actions.append(.report(failure.reason, of: .lastRotationFailed))
  }

  /// A hook that takes too long is not waited for; a display system that does not answer has failed.
  mutating func expireRotation(at now: Instant) {
    switch progress.phase {
    case .preparing(_, let due) where due <= now: prepared(at: now)
    case .applying(let rotation, _, let due) where due <= now:
      let seconds = RotationProgress.applyTimeout.components.seconds
      let message = Message(
        .rotationUnanswered, "The display system did not rotate \(rotation.output) within \(seconds) s.")
      failed(rotation, message, at: now)
    case .idle, .preparing, .applying: break
    }
  }

  /// Suggests the rotation that a lock forbids, as Android does.
  mutating func suggest(_ decision: Decision, at now: Instant) {
    guard suggestion.update(rotationForbiddenByLock(decision), at: now) else { return }
    actions.append(.suggest(suggestion.published))
  }

  private func rotationForbiddenByLock(_ decision: Decision) -> InterfaceOrientation? {
    guard settings.suggestsWhileLocked, locking.lock != nil || choice.paused != nil,
      let upright = InterfaceOrientation(device), upright != decision.orientation,
      decision.allowed.contains(upright)
    else { return nil }
    return upright
  }
}
