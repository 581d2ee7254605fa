// SPDX-License-Identifier: MIT

// What each event changes. Whether that calls for a turn is decided afterwards, in Autorotator+Turning.
extension Autorotator {
  mutating func absorb(_ event: Event, at now: Instant, _ actions: inout [Action]) {
    if let why = refusal(of: event) { return refuse(because: why, &actions) }
    switch event {
    case .motion, .deadlineReached: break
    case .deviceTurned(let orientation): if sensor.demand != .off { turned(to: orientation) }
    case .sensorFound(let name): sensor.found(name)
    case .sensorLost(let reason): lost(reason, &actions)
    case .touchBegan: touch.began()
    case .touchEnded: touch.ended(at: now)
    case .postureEvidence(let evidence): postureJudge.hear(evidence, at: now)
    case .hingeTold(let word): postureJudge.hear(word, at: now)
    case .focusChanged(let window):
      applications.windows.note(window)
      applications.focus.move(to: window, panels: litPanels.map(\.name), at: now)
      updateFocus(at: now, &actions)
    case .playersChanged(let players): hear(players, at: now)
    case .requestAdded(let request): add(request, at: now)
    case .requestsRemoved(let ids): removeRequests(ids, at: now)
    case .command(let command): perform(command, at: now, &actions)
    case .lockNotSaved(let reason): locking.notSaved = reason
    case .declineSuggestion: suggestion.offer?.decline()
    case .outputTurned(let turn): outputTurned(turn, &actions)
    case .outputNotTurned(let turn, let reason): outputNotTurned(turn, reason, &actions)
    case .outputsChanged(let new):
      applications.focus.awaitFirstReport(from: now)
      outputsChanged(to: new, at: now, &actions)
    case .desktopTurns(let reason): leavePicture(to: reason, at: now, &actions)
    case .desktopAnswered(let staysOnPurpose):
      desktopAnswered(staysOnPurpose: staysOnPurpose, &actions)
    case .readyToRotate(let rotation): if rotation == turning.rotation { prepared(at: now, &actions) }
    case .rotationFinished(let rotation): finished(rotation, &actions)
    case .rotationFailed(let rotation, let reason): failed(rotation, reason, at: now, &actions)
    case .rotationUnanswered(let rotation, let reason): unanswered(rotation, reason, at: now, &actions)
    case .displayPowerChanged(let isOn): displays.isOn = isOn
    case .sessionChanged(let isActive): displays.isSessionActive = isActive
    case .layoutReloaded: displays.layoutChangedAt = now
    case .windowsListed(let names): applications.windows.listed = names
    case .settingsChanged(let new): change(new, at: now, &actions)
    case .suspended: displays.isSuspended = true
    case .resumed: displays.isSuspended = false
    }
  }

  /// Handles what is due by now.
  mutating func expire(at now: Instant, before event: Event, _ actions: inout [Action]) {
    if let end = locking.end, end <= now { endLock(&actions) }
    if let due = locking.relock?.due, due <= now { lockAgain(&actions) }
    updateFocus(at: now, &actions)
    if let due = sensor.implausibleDue, due <= now { distrustSensor(&actions) }
    doubtGyroscope(&actions)
    // An answer that has arrived is not late, however long it took to be read.
    if !turning.isAnswered(by: event) { expireTurning(at: now, &actions) }
    reportFailure(at: now, &actions)
  }

  // MARK: What the person asks for

  private mutating func perform(_ command: DaemonCommand, at now: Instant, _ actions: inout [Action]) {
    switch command {
    case .lock(let wish, let end):
      lock(to: wish.map(resolved), until: end?.map { now + $0 }, at: now, &actions)
    case .toggleLock where locking.lock == nil: lock(to: nil, until: nil, at: now, &actions)
    case .unlock, .toggleLock: unlock(at: now, &actions)
    case .followOnce(let time): followOnce(until: now + time, at: now)
    case .rotate(let wish, let output?) where !isOfPanels(output): keep(output, wish, &actions)
    case .rotate(let wish, _): rotate(to: resolved(wish), at: now, &actions)
    case .takeSuggestion: if let offered = suggestion.published { rotate(to: offered, at: now, &actions) }
    case .hold(let isOn): setHold(isOn, at: now)
    case .setPosture(let choice): postureJudge.byHand = choice.posture
    case .quit: break
    }
  }

  private mutating func lock(
    to orientation: InterfaceOrientation?, until end: Lock.End?, at now: Instant, _ actions: inout [Action]
  ) {
    if case .time(let moment) = end, moment <= now { return unlock(at: now, &actions) }
    let target = orientation ?? upcoming
    set(Lock(orientation: target, end: end), &actions)
    if orientation != nil { personAsks(at: now) }
  }

  mutating func set(_ new: Lock, _ actions: inout [Action]) {
    locking.set(new)
    choice.baseline = new.orientation
    choice.asked = nil
    actions.append(.saveLock(new.isLasting ? new.orientation : nil))
  }

  private mutating func unlock(at now: Instant, _ actions: inout [Action]) {
    guard locking.isSet else { return }
    endLock(&actions)
    personAsks(at: now)
  }

  private mutating func followOnce(until due: Instant, at now: Instant) {
    guard locking.lock != nil else { return }
    locking.followOnce(until: due)
    personAsks(at: now)
  }

  /// Locks what is shown now, as it was locked before.
  mutating func lockAgain(_ actions: inout [Action]) {
    guard let again = locking.relock else { return }
    set(again.lock.moved(to: upcoming), &actions)
  }

  mutating func endLock(_ actions: inout [Action]) {
    locking.set(nil)
    actions.append(.saveLock(nil))
  }

  /// What failed before is worth another try, and the finger that tapped the button is no reason to wait.
  mutating func personAsks(at now: Instant) {
    turning.askedSince = now
    turning.failure = nil
  }

  private mutating func rotate(
    to orientation: InterfaceOrientation, at now: Instant, _ actions: inout [Action]
  ) {
    if isShown(orientation), turning.rotation == nil { actions.append(.repair) }
    adopt(orientation, &actions)
    personAsks(at: now)
  }

  private func refuse(because why: Message, _ actions: inout [Action]) {
    if why.code == .outputNotRestored { actions.append(.repair) }
    actions.append(.refuse(why))
  }

  /// Follows an orientation that the person chose by hand, here or with another program.
  mutating func adopt(_ orientation: InterfaceOrientation, _ actions: inout [Action]) {
    if let lock = locking.lock {
      set(lock.moved(to: orientation), &actions)
    } else if choice.paused != nil {
      choice.paused = orientation
    } else {
      choice.asked = orientation
      choice.askedWithin = restrictions
      guard choice.askedWithin.isEmpty else { return }
    }
    choice.baseline = orientation
  }

  private mutating func setHold(_ isOn: Bool, at now: Instant) {
    guard isOn != (choice.paused != nil) else { return }
    choice.pause(at: isOn ? upcoming : nil)
    if !isOn { personAsks(at: now) }
  }

  // MARK: What the applications ask for

  private mutating func updateFocus(at now: Instant, _ actions: inout [Action]) {
    let before = applications.focus.window
    if applications.focus.update(at: now) { focusChanged(leaving: before, at: now, &actions) }
  }

  private mutating func focusChanged(leaving before: Window?, at now: Instant, _ actions: inout [Action]) {
    turning.askedSince = now
    guard case .focus(let application) = locking.lock?.end else { return }
    if before?.isOf(application) == true, applications.focus.window?.isOf(application) != true {
      endLock(&actions)
    }
  }

  private mutating func hear(_ players: [Player], at now: Instant) {
    // What comes late concerns nobody who is in front.
    guard needsPlayers else { return }
    applications.playback.hear(players)
    turning.askedSince = now
  }

  private mutating func add(_ request: OrientationRequest, at now: Instant) {
    applications.add(request)
    turning.askedSince = now
  }

  private mutating func removeRequests(_ ids: Set<UInt32>, at now: Instant) {
    applications.requests.removeAll { ids.contains($0.id) }
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
    guard reason != desktop.rotates else { return }
    desktop.rotates = reason
    if let reason {
      if case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
      choice.asked = nil
      actions.append(.report(reason, of: nil))
    } else {
      personAsks(at: now)
    }
  }
}
