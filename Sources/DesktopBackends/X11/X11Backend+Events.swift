// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

extension X11Backend {
  // MARK: Connecting

  func begin() throws {
    guard let connecting = connecting.take() else { return }
    do {
      let session = try X11Session(
        connecting.finish(timeout: timeouts.replies), loop: loop, settings: settings, note: note,
        due: { [weak self] in self?.proceed() })
      session.disabled?.wanted = disabledInput
      session.focus.watchesTitles = watchesTitles
      self.session = session
    } catch let error as Message where error.code == .displaySilent {
      // What was read would be out of date when the server continues.
      self.connecting = try X11ConnectionAttempt(display: displayName)
    }
  }

  /// Waits in the loop for the connection or for events.
  func listen() throws {
    socket?.cancel()
    if let connecting {
      socket = try loop.watch(connecting.descriptor) { [weak self] in self?.connected() }
    } else if let session {
      socket = try loop.watch(session.connection.descriptor) { [weak self] in
        self?.handleEvents(reading: true)
      }
      try socket?.beforeWaiting { [weak self] in self?.handleEvents(reading: false) }
    }
  }

  func connected() {
    do {
      try begin()
      try listen()
      proceed()
    } catch { end(error as? Message ?? Message(.displayEnded, "\(error)")) }
  }

  // MARK: Events

  func handleEvents(reading: Bool) {
    guard let session else { return }
    session.connection.drainEvents(reading: reading, handle)
    proceed()
    // Events that came with replies are in xcb's queue, where the descriptor does not signal them.
    if session.connection.drainEvents(reading: false, handle) {
      nextPass { [weak self] in self?.proceed() }
    }
  }

  func handle(_ event: X11Event) {
    guard let session else { return }
    session.visibility.markStale(by: event)
    if session.randr.isChange(event) {
      stale.outputs = true
    } else if let change = session.input?.change(event) {
      handle(change)
    } else {
      session.focus.markStale(by: event)
    }
  }

  func handle(_ change: XInput.Change) {
    switch change {
    case .devices: stale.devices = true
    case .property(let property, let device):
      if session?.touch?.isMatrix(property, of: device) == true { stale.outputs = true }
    case .touchBegan(let finger):
      let isOnPanel = session?.touch?.devices.contains { $0.id == finger.device } ?? false
      if isOnPanel, fingers.began(finger) { report(.touchBegan) }
    case .touchEnded(let finger): if fingers.ended(finger) { report(.touchEnded) }
    }
  }

  // MARK: Rotating

  /// Sends the requests of a rotation at once, if the server answers.
  /// - Parameter finish: receives the result, unless this throws.
  func begin(_ wanted: [PanelRotation], _ finish: @escaping RotationQueue.Completion) throws(Message) {
    guard let session, answers?.isAnswering == true else { throw .silent(wanted.names, displayName) }
    let rotation = RandRRotation(
      wanted, randr: session.randr, touch: session.touch, fullscreen: session.fullscreen, visited: visited)
    let mayAsk = session.connection.replies.beginPass()
    if mayAsk, case .failure(let reason)? = rotation.advance() { throw reason }
    underWay = (rotation, finish)
  }

  /// - Returns: whether the rotation under way has ended.
  func advanceRotation() -> Bool {
    guard let (rotation, finish) = underWay, let result = rotation.advance() else { return false }
    underWay = nil
    finish(result)
    return true
  }

  /// Ends the rotation under way without the server's answer.
  /// - Parameter evenIfSent: else a rotation whose requests were sent is kept. The others may be out of date when the
  ///   server answers again.
  func failRotation(evenIfSent: Bool) {
    guard let (rotation, finish) = underWay, evenIfSent || !rotation.hasSentRequests else { return }
    underWay = nil
    finish(.failure(.silent(rotation.rotations.names, displayName)))
  }

  // MARK: One pass

  /// Continues the rotation under way, and then reads again what has changed, once per batch of events, as far as the
  /// server answers.
  func proceed() {
    guard let session, report.isRunning else { return }
    // The next rotation has the whole timeout again.
    if session.connection.replies.beginPass(), advanceRotation() { answers?.isDue = false }
    if session.connection.isBroken { return end() }
    // During a rotation, the server would answer late.
    if !queue.isBusy, !session.connection.replies.areLate { refresh(session) }
    answers?.isDue = isAnswerDue
  }

  var isAnswerDue: Bool {
    guard let session else { return connecting != nil }
    return underWay != nil || session.restoration.isAttemptPending || session.connection.replies.areLate
  }

  /// A rotation that fails while the screen is off is no fault, and an output that it left off is reported separately.
  /// So visibility and outputs are read before the failure is reported.
  func reportCauses() {
    guard let session else { return }
    session.visibility.isStale = true
    try? session.visibility.read()
    reportVisibility()
    session.restoration.rotationFailed(at: now)
    if !session.randr.switchedOff.all.isEmpty { try? refreshOutputs(session) }
  }

  var now: Instant { Instant(nanoseconds: EventLoop.now) }

  func refresh(_ session: X11Session) {
    // Other errors than a broken or silent connection come from an object that was removed between request and reply.
    // Another event reports its removal.
    do {
      if session.visibility.isStale {
        try session.visibility.read()
        terminal.serverReported(hasTerminal: session.visibility.hasTerminal, at: now)
        reportVisibility()
      }
      if stale.devices { try refreshDevices(session) }
      if stale.outputs { try refreshOutputs(session) }
      session.restoration.setVisible(session.visibility.isVisible && terminal.isSessionActive, at: now)
      if try session.restoration.advance(at: now) { try refreshOutputs(session) }
      if session.focus.isStale { report(.focusChanged(try session.focus.refresh())) }
      try session.fullscreen.refresh(session.randr)
    } catch {
      switch error.code {
      case .displayEnded: end()
      case .displaySilent: break
      default: stale = Stale(outputs: false, devices: false)
      }
    }
  }

  func refreshDevices(_ session: X11Session) throws(Message) {
    try session.touch?.findDevices()
    try session.disabled?.reconcile()
    (stale.outputs, stale.devices) = (true, false)
    let present = Set(session.touch?.devices.map(\.id) ?? [])
    if fingers.keep(onlyOn: present) { report(.touchEnded) }
  }

  func refreshOutputs(_ session: X11Session) throws(Message) {
    let state = try session.randr.read()
    if underWay == nil { session.restoration.update(state, at: now) }
    try session.touch?.updateMatrices(state, isRequested: stale.isRepairRequested, at: now)
    (stale.outputs, stale.isRepairRequested) = (false, false)
    session.focus.updateLayout(state.displays(first: state.outputs.panelName(chosen: settings.output)))
    report(.outputsChanged(session.restoration.outputs(of: state)))
  }

  // MARK: Silence and visibility

  func answersChanged(_ isAnswering: Bool) {
    isSilenceReported = false
    if !isAnswering { reportSilence() }
    reportVisibility()
    if !isAnswering { failRotation(evenIfSent: false) }
  }

  func reportSilence() {
    if let end = terminal.expectedSilenceEnd(at: now) {
      answers?.reportSilence(at: end)
    } else {
      isSilenceReported = true
      note(.silentX(displayName))
    }
  }

  /// A server that does not answer cannot rotate, so its outputs count as off.
  func reportVisibility() {
    let isVisible = answers?.isAnswering != false && session?.visibility.isVisible != false
    report(.displayPowerChanged(isOn: isVisible))
  }

  func end(_ reason: Message? = nil) {
    socket?.cancel()
    socket = nil
    answers = nil
    failRotation(evenIfSent: true)
    report.end(reason ?? Message(.displayEnded, "the X server of display \(displayName) has ended"))
  }
}
