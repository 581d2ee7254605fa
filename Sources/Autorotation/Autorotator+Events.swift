// SPDX-License-Identifier: MIT

// The effect of each event. Whether a rotation follows is decided afterwards, in Autorotator+Rotation.
extension Autorotator {
  mutating func applyEvent(_ event: Event, at now: Instant) {
    if let why = refusal(of: event) {
      if why.code == .outputNotRestored { actions.append(.repair) }
      return actions.append(.refuse(why))
    }
    switch event {
    case .motion, .deadlineReached: break
    case .deviceRotated(let orientation): if sensor.demand != .off { orientationChanged(to: orientation) }
    case .sensorFound(let name): sensor.found(name)
    case .sensorLost(let reason): lost(reason)
    case .touchBegan: touch.isTouching = true
    case .touchEnded: touch.touchEnded(at: now)
    case .postureEvidence(let evidence):
      if evidence.isLidClosed != postureResolver.isLidClosed { displays.layoutChangedAt = now }
      postureResolver.update(with: evidence, at: now)
    case .hingeChanged(let word): postureResolver.update(with: word, at: now)
    case .focusChanged(let window):
      applications.windows.add(window)
      applications.focus.updateTitle(of: window, by: settings.rules)
      applications.focus.move(to: window, panels: activePanels.map(\.name), at: now)
      updateFocus(at: now)
    case .playersChanged(let players): updatePlayers(players, at: now)
    case .requestAdded(let request):
      applications.add(request)
      progress.askedSince = now
    case .requestsRemoved(let ids):
      applications.requests.removeAll { ids.contains($0.id) }
      progress.askedSince = now
    case .command(let command): perform(command, at: now)
    case .lockNotSaved(let reason): locking.saveFailure = reason
    case .declineSuggestion: suggestion.decline()
    case .outputAnswered(let change, let failure): outputAnswered(change, failure)
    case .outputsChanged(let new):
      applications.focus.awaitFirstReport(from: now)
      outputsChanged(to: new, at: now)
    case .desktopRotates(let reason): setDesktopRotation(because: reason, at: now)
    case .desktopAnswered(let isIntentional): desktopAnswered(isIntentional: isIntentional)
    case .readyToRotate(let rotation): if rotation == progress.rotation { prepared(at: now) }
    case .rotationFinished(let rotation): finished(rotation)
    case .rotationFailed(let rotation, let reason): failed(rotation, reason, at: now)
    case .displayPowerChanged(let isOn): displays.isOn = isOn
    case .sessionChanged(let isActive): displays.isSessionActive = isActive
    case .windowsListed(let names):
      applications.windows.listed = names
      endLockWithoutWindow()
    case .settingsChanged(let new): changeSettings(to: new, at: now)
    case .suspended: displays.isSuspended = true
    case .resumed: displays.isSuspended = false
    }
  }

  /// Handles what is due.
  mutating func expire(at now: Instant, before event: Event) {
    if let end = locking.end, end <= now { endLock() }
    if let due = locking.relock?.due, due <= now { lockAgain() }
    updateFocus(at: now)
    if let due = sensor.implausibleDue, due <= now { reportImplausibleSensor() }
    reportWrongGyroscope()
    // An answer that has arrived is not late, even if it was read late.
    if !progress.isAnswered(by: event) { expireRotation(at: now) }
    reportFailure(at: now)
  }

  // MARK: Commands of the user

  private mutating func perform(_ command: DaemonCommand, at now: Instant) {
    switch command {
    case .lock(let target, let end): lock(to: target.map(resolved), until: end?.map { now + $0 }, at: now)
    case .toggleLock where locking.lock == nil: lock(to: nil, until: nil, at: now)
    case .unlock, .toggleLock: unlock(at: now)
    case .unlockOnce(let time): unlockOnce(until: now + time, at: now)
    case .rotate(let target, let output?) where !isPanel(output): keep(output, target)
    case .rotate(let target, _): rotate(to: resolved(target), at: now)
    case .acceptSuggestion: if let offered = suggestion.published { rotate(to: offered, at: now) }
    case .hold(let isOn): setHold(isOn, at: now)
    case .setPosture(let choice): postureResolver.manualPosture = choice.posture
    case .quit: break
    }
  }

  private mutating func lock(to orientation: InterfaceOrientation?, until end: Lock.End?, at now: Instant) {
    if case .time(let moment) = end, moment <= now { return unlock(at: now) }
    guard let orientation else { return lockShown(until: end) }
    set(Lock(orientation: orientation, end: end))
    noteUserRequest(at: now)
  }

  mutating func lockShown(until end: Lock.End? = nil, posture: Posture? = nil) {
    set(Lock(orientation: upcoming, end: end, posture: posture, awaitsPanel: !displays.isShownKnown))
  }

  mutating func set(_ new: Lock) {
    locking.set(new)
    choice.baseline = new.orientation
    choice.asked = nil
    actions.append(.saveLock(new.isLasting ? new.orientation : nil))
  }

  private mutating func unlock(at now: Instant) {
    guard locking.current != nil else { return }
    endLock()
    noteUserRequest(at: now)
  }

  private mutating func unlockOnce(until due: Instant, at now: Instant) {
    guard let lock = locking.current else { return }
    // The saved lock stays until there is another.
    locking.lock = nil
    locking.relock = (due, lock)
    noteUserRequest(at: now)
  }

  /// Locks the present orientation. If an application determines that, locks the one that the user chose meanwhile, or
  /// the former one. End and posture are those of the former lock.
  mutating func lockAgain() {
    guard let again = locking.relock else { return }
    let own = choice.paused ?? choice.asked ?? again.lock.orientation
    set(again.lock.moved(to: restrictions.isEmpty ? upcoming : own))
  }

  /// Locks again once a rotation has followed the device. One that returns from an application to the orientation of
  /// the lock has not.
  mutating func lockAgain(after rotation: Rotation) {
    let upright = DeviceOrientation.upright[Int(rotation.to.rawValue)]
    guard let again = locking.relock, rotation.to != again.lock.orientation,
      rotation.reasons.contains(.upright(upright))
    else { return }
    set(again.lock.moved(to: rotation.to))
  }

  mutating func endLock() {
    locking.set(nil)
    actions.append(.saveLock(nil))
  }

  /// A failed rotation is tried again, and a finger on the screen delays it less, since the button may have been
  /// tapped.
  mutating func noteUserRequest(at now: Instant) {
    progress.askedSince = now
    progress.failure = nil
  }

  private mutating func rotate(to orientation: InterfaceOrientation, at now: Instant) {
    if isShown(orientation), progress.rotation == nil { actions.append(.repair) }
    adopt(orientation)
    noteUserRequest(at: now)
  }

  /// Adopts an orientation that the user chose, here or with another program.
  mutating func adopt(_ orientation: InterfaceOrientation) {
    if let lock = locking.lock {
      set(lock.moved(to: orientation))
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
    choice.paused = isOn ? upcoming : nil
    choice.asked = nil
    if let paused = choice.paused { choice.baseline = paused } else { noteUserRequest(at: now) }
  }

  // MARK: Applications

  private mutating func updateFocus(at now: Instant) {
    let before = applications.focus.window ?? applications.focus.ignored
    if applications.focus.update(at: now) { focusChanged(leaving: before, at: now) }
  }

  private mutating func focusChanged(leaving before: Window?, at now: Instant) {
    progress.askedSince = now
    guard case .focus(let application) = locking.current?.end else { return }
    if before?.belongs(to: application) == true, applications.focus.window?.belongs(to: application) != true {
      endLock()
    }
  }

  /// An application that was closed without focus would not lose it.
  private mutating func endLockWithoutWindow() {
    guard case .focus(let application) = locking.current?.end, applications.windows.listed != nil,
      !applications.windows.contain(application),
      applications.focus.window?.belongs(to: application) != true
    else { return }
    endLock()
  }

  private mutating func updatePlayers(_ players: [Player], at now: Instant) {
    // Ignore replies that arrive after they are no longer needed.
    guard needsPlayers else { return }
    applications.playback.update(players)
    progress.askedSince = now
  }

  // MARK: Settings and desktop

  private mutating func changeSettings(to new: Settings, at now: Instant) {
    let before = activePanels
    if new.output != settings.output { progress.reportedUnable = nil }
    let hasNewPostureLock = settings.lock(in: posture) != new.lock(in: posture)
    let mount = sensorMount
    settings = new
    sensorMountChanged(from: mount)
    if hasNewPostureLock { applyPostureLock() }
    postureResolver.choice = new.tabletSwitch
    postureResolver.needsTabletShape = new.needsTabletShape
    updateScreenOrientation(before: before, mayBeManual: false, at: now)
    noteUserRequest(at: now)
  }

  private mutating func setDesktopRotation(because reason: Message?, at now: Instant) {
    guard reason != desktop.rotationReason else { return }
    desktop.rotationReason = reason
    displays.layoutChangedAt = now
    if let reason {
      if case .preparing(let rotation, _) = progress.phase { cancel(rotation) }
      choice.asked = nil
      actions.append(.report(reason, of: nil))
    } else {
      noteUserRequest(at: now)
    }
  }
}
