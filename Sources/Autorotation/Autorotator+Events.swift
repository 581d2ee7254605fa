// SPDX-License-Identifier: MIT

// What each event changes. Whether that calls for a turn is decided afterwards, in Autorotator+Turning.
extension Autorotator {
  mutating func absorb(_ event: Event, at now: Instant, _ actions: inout [Action]) {
    if let why = refusal(of: event) { return actions.append(.refuse(why)) }
    switch event {
    case .motion, .deadlineReached: break
    case .deviceTurned(let orientation): if demand != .off { turned(to: orientation) }
    case .sensorFound(let name): found(name)
    case .sensorLost(let reason): lost(reason, &actions)
    case .touchBegan: touch.began()
    case .touchEnded: touch.ended(at: now)
    case .penCame: pen.came()
    case .penLeft: pen.left(at: now)
    case .postureEvidence(let evidence): postureJudge.hear(evidence, at: now)
    case .hingeTold(let word): postureJudge.hear(word, at: now)
    case .setPosture(let posture): postureJudge.byHand = posture
    case .focusChanged(let window):
      windows.note(window)
      focus.move(to: window, panels: litPanels.map(\.name), at: now)
    case .playersChanged(let players): hear(players, at: now)
    case .requestAdded(let request): add(request, at: now)
    case .requestsRemoved(let ids): removeRequests(ids, at: now)
    case .lock(let wish, let end): lock(to: wish.map(resolved), until: end, at: now, &actions)
    case .unlock: unlock(at: now, &actions)
    case .followOnce(let due): followOnce(until: due, at: now)
    case .toggleLock:
      if lock == nil { lock(to: nil, until: nil, at: now, &actions) } else { unlock(at: now, &actions) }
    case .lockNotSaved(let reason): lockNotSaved = reason
    case .rotate(let orientation): rotate(to: orientation, at: now, &actions)
    case .turn(let wish, let output?) where !isOfPanels(output): keep(output, wish, &actions)
    case .turn(let wish, _): rotate(to: resolved(wish), at: now, &actions)
    case .takeSuggestion: if let suggestion { rotate(to: suggestion, at: now, &actions) }
    case .declineSuggestion: offer?.decline()
    case .outputTurned(let turn): outputTurned(turn, &actions)
    case .outputNotTurned(let turn, let reason): outputNotTurned(turn, reason, &actions)
    case .hold(let isOn): setHold(isOn, at: now)
    case .outputsChanged(let new): outputsChanged(to: new, at: now, &actions)
    case .desktopTurns(let reason): leavePicture(to: reason, at: now, &actions)
    case .desktopAnswered(let staysOnPurpose):
      desktopAnswered(staysOnPurpose: staysOnPurpose, &actions)
    case .readyToRotate(let rotation): if rotation == turning.rotation { prepared(at: now, &actions) }
    case .rotationFinished(let rotation): finished(rotation, &actions)
    case .rotationFailed(let rotation, let reason): failed(rotation, reason, at: now, &actions)
    case .rotationUnanswered(let rotation, let reason): unanswered(rotation, reason, at: now, &actions)
    case .displayPowerChanged(let isOn): isDisplayOn = isOn
    case .sessionChanged(let isActive): isSessionActive = isActive
    case .layoutReloaded: layoutChangedAt = now
    case .windowsListed(let names): windows.listed = names
    case .settingsChanged(let new): change(new, at: now, &actions)
    case .suspended: isSuspended = true
    case .resumed: isSuspended = false
    }
  }

  /// Handles what is due by now.
  mutating func expire(at now: Instant, before event: Event, _ actions: inout [Action]) {
    if let end = lockEnd, end <= now { endLock(&actions) }
    if let due = relock?.due, due <= now { lockAgain(&actions) }
    let before = focus.window
    if focus.update(at: now) { focusChanged(leaving: before, at: now, &actions) }
    if let due = implausibleDue, due <= now { distrustSensor(&actions) }
    doubtGyroscope(&actions)
    // An answer that has arrived is not late, however long it took to be read.
    if !turning.isAnswered(by: event) { expireTurning(at: now, &actions) }
    reportFailure(at: now, &actions)
  }

  var lockEnd: Instant? {
    if case .at(let end) = lock?.end { end } else { nil }
  }

  // MARK: What the person asks for

  private mutating func lock(
    to orientation: InterfaceOrientation?, until end: Lock.End?, at now: Instant, _ actions: inout [Action]
  ) {
    if case .at(let moment) = end, moment <= now { return unlock(at: now, &actions) }
    let target = orientation ?? turning.rotation?.to ?? shown
    set(Lock(orientation: target, end: end), &actions)
    if orientation != nil { personAsks(at: now) }
  }

  mutating func set(_ new: Lock, _ actions: inout [Action]) {
    lock = new
    relock = nil
    baseline = new.orientation
    asked = nil
    save(new.isLasting ? new.orientation : nil, &actions)
  }

  private mutating func unlock(at now: Instant, _ actions: inout [Action]) {
    guard lock != nil || relock != nil else { return }
    endLock(&actions)
    personAsks(at: now)
  }

  /// The lock that is kept over a restart stays until there is another.
  private mutating func followOnce(until due: Instant, at now: Instant) {
    guard let lock else { return }
    self.lock = nil
    relock = Relock(due: due, lock: lock)
    personAsks(at: now)
  }

  /// Locks what is shown now, as it was locked before.
  mutating func lockAgain(_ actions: inout [Action]) {
    guard let again = relock else { return }
    set(again.lock.moved(to: turning.rotation?.to ?? shown), &actions)
  }

  mutating func endLock(_ actions: inout [Action]) {
    lock = nil
    relock = nil
    save(nil, &actions)
  }

  private mutating func save(_ lock: InterfaceOrientation?, _ actions: inout [Action]) {
    lockNotSaved = nil
    actions.append(.saveLock(lock))
  }

  /// What failed before is worth another try, and the finger that tapped the button is no reason to wait.
  mutating func personAsks(at now: Instant) {
    turning.askedSince = now
    turning.failure = nil
  }

  private mutating func rotate(
    to orientation: InterfaceOrientation, at now: Instant, _ actions: inout [Action]
  ) {
    adopt(orientation, &actions)
    personAsks(at: now)
  }

  /// Follows an orientation that the person chose by hand, here or with another program.
  mutating func adopt(_ orientation: InterfaceOrientation, _ actions: inout [Action]) {
    if let lock {
      set(lock.moved(to: orientation), &actions)
    } else if hold != nil {
      hold = orientation
    } else {
      asked = orientation
      askedWithin = restrictions
      guard askedWithin.isEmpty else { return }
    }
    baseline = orientation
  }

  private mutating func setHold(_ isOn: Bool, at now: Instant) {
    guard isOn != (hold != nil) else { return }
    hold = isOn ? turning.rotation?.to ?? shown : nil
    asked = nil
    baseline = hold ?? baseline
    if !isOn { personAsks(at: now) }
  }

  // MARK: What the applications ask for

  private mutating func focusChanged(leaving before: Window?, at now: Instant, _ actions: inout [Action]) {
    turning.askedSince = now
    guard case .whileFocused(let application) = lock?.end else { return }
    if before?.isOf(application) == true, focus.window?.isOf(application) != true { endLock(&actions) }
  }

  private mutating func hear(_ players: [Player], at now: Instant) {
    // What comes late concerns nobody who is in front.
    guard needsPlayers else { return }
    playback.hear(players)
    turning.askedSince = now
  }

  private mutating func add(_ request: OrientationRequest, at now: Instant) {
    requests.removeAll { $0.id == request.id }
    requests.append(request)
    turning.askedSince = now
  }

  private mutating func removeRequests(_ ids: Set<UInt32>, at now: Instant) {
    requests.removeAll { ids.contains($0.id) }
    turning.askedSince = now
  }

  // MARK: What the device tells

  private mutating func change(_ new: Settings, at now: Instant, _ actions: inout [Action]) {
    let before = litPanels
    if new.output != settings.output { turning.reportedUnable = nil }
    let isLockedAnew = settings.lock(in: posture) != new.lock(in: posture)
    let mount = sensorMount
    settings = new
    sensorRemounted(from: mount)
    if isLockedAnew { obeyPostureLock(&actions) }
    postureJudge.choice = new.tabletSwitch
    postureJudge.tellsShape = new.tellsShape
    noticePicture(before: before, mayBeByHand: false, &actions)
    personAsks(at: now)
  }

  private mutating func leavePicture(to reason: Message?, at now: Instant, _ actions: inout [Action]) {
    guard reason != desktopTurns else { return }
    desktopTurns = reason
    if let reason {
      if case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
      asked = nil
      actions.append(.report(reason, of: nil))
    } else {
      personAsks(at: now)
    }
  }
}
