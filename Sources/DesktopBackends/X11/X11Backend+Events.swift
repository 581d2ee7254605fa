// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import System

extension X11Backend {
  // MARK: Connecting

  func begin() throws {
    guard let connecting else { return }
    self.connecting = nil
    do {
      let session = try X11Session(
        connecting.finish(patience: patience.replies), loop: loop, settings: settings, note: note
      ) {
        [weak self] in self?.proceed()
      }
      session.disabled?.wanted = disabledInput
      self.session = session
    } catch let error as Message where error.code == .displaySilent {
      // Whatever was learned is out of date when it goes on.
      self.connecting = try X11Connecting(display: displayName)
    }
  }

  /// Waits for what comes next from the server: the connection, or events.
  func listen() throws {
    socket?.cancel()
    guard let session else {
      guard let connecting else { return }
      socket = try loop.watch(connecting.descriptor) { [weak self] in self?.connected() }
      return
    }
    let socket = try loop.watch(session.connection.descriptor) { [weak self] in
      self?.handleEvents(reading: true)
    }
    try socket.beforeWaiting { [weak self] in self?.handleEvents(reading: false) }
    self.socket = socket
  }

  func connected() {
    endIfImpossible {
      try begin()
      try listen()
      proceed()
    }
  }

  func endIfImpossible(_ attempt: () throws -> Void) {
    do { try attempt() } catch { end(error as? Message ?? Message(.displayEnded, "\(error)")) }
  }

  // MARK: Events

  func handleEvents(reading: Bool) {
    guard let session else { return }
    session.connection.drainEvents(reading: reading, handle)
    proceed()
    // What came along with replies is in xcb's queue, of which no descriptor tells.
    if session.connection.drainEvents(reading: false, handle) {
      nextTurn { [weak self] in self?.proceed() }
    }
  }

  func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
    guard let session else { return }
    session.visibility.absorb(event)
    if session.randr.isChange(event) {
      stale.outputs = true
    } else if let change = session.change(event) {
      handle(change)
    } else {
      session.focus.absorb(event)
    }
  }

  func handle(_ change: XInput.Change) {
    switch change {
    case .devices: stale.devices = true
    case .property(let property, let device):
      if session?.touch?.isMatrix(property, of: device) == true { stale.touch = true }
    case .touchBegan(let finger): if isOnPanel(finger), fingers.began(finger) { report(.touchBegan) }
    case .touchEnded(let finger): if fingers.ended(finger) { report(.touchEnded) }
    }
  }

  func isOnPanel(_ finger: Finger) -> Bool {
    session?.touch?.devices.contains { $0.id == finger.device } ?? false
  }

  // MARK: One pass

  /// Goes on with what is under way, and then reads again what has changed, once for all the events of a
  /// batch; as far as the server answers.
  func proceed() {
    guard let session, report.isRunning else { return }
    if session.connection.replies.beginPass() { turns.advance() }
    if session.connection.isBroken { return end() }
    // While it turns, the server would let whoever asks it wait.
    if turns.isEmpty, !session.connection.replies.areLate { refresh(session) }
    answers?.isDue = isAnswerDue
  }

  var isAnswerDue: Bool {
    guard let session else { return connecting != nil }
    return !turns.isEmpty || session.restoration.isSent || session.connection.replies.areLate
  }

  /// A rotation that failed while nobody could see it is not a failure, nor is one that left its output off: that has a
  /// fault of its own. So both are read before the failure is reported.
  func reportCauses() {
    guard let session else { return }
    session.visibility.doubt()
    try? session.visibility.read()
    reportVisibility()
    session.restoration.rotationFailed(at: now)
    if !session.randr.switchedOff.isEmpty { try? refreshOutputs(session) }
  }

  var now: Instant { Instant(nanoseconds: EventLoop.now) }

  func refresh(_ session: X11Session) {
    // Anything but a broken connection, or one that is silent, is a thing that vanished between question and
    // answer, of which another event tells.
    do {
      if session.visibility.isStale {
        try session.visibility.read()
        terminal.serverReported(hasTerminal: session.visibility.hasTerminal, at: now)
        reportVisibility()
      }
      if stale.devices { try refreshDevices(session) }
      if stale.outputs || stale.touch { try refreshOutputs(session) }
      try restoreOutputs(session)
      try refreshFocus(session)
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
    try session.disabled?.settle()
    (stale.outputs, stale.devices) = (true, false)
    let present = Set(session.touch?.devices.map(\.id) ?? [])
    if fingers.keep(onlyOn: present) { report(.touchEnded) }
  }

  func restoreOutputs(_ session: X11Session) throws(Message) {
    session.restoration.setVisible(session.visibility.isVisible && terminal.isInFront, at: now)
    if try session.restoration.advance(at: now) { try refreshOutputs(session) }
  }

  func refreshOutputs(_ session: X11Session) throws(Message) {
    let state = try session.randr.read()
    if turns.isEmpty { session.restoration.update(state, at: now) }
    try session.touch?.follow(state, isAsked: stale.isRepairWanted, at: now)
    (stale.outputs, stale.touch, stale.isRepairWanted) = (false, false, false)
    session.focus.lay(out: state.displays(first: panelName(state)))
    report(.outputsChanged(session.restoration.outputs(of: state)))
  }

  func refreshFocus(_ session: X11Session) throws(Message) {
    guard session.focus.isStale else { return }
    report(.focusChanged(try session.focus.refresh()))
  }

  func panelName(_ state: RandRState) -> String? {
    state.panelName(chosen: settings.output)
  }

  // MARK: What does not answer, or is not seen

  func answersChanged(_ isAnswering: Bool) {
    isSilenceReported = false
    complaint?.arm(at: nil)
    if !isAnswering { reportSilence() }
    reportVisibility()
    if !isAnswering { turns.failUnsent { .silent($0, displayName) } }
  }

  func reportSilence() {
    if let end = terminal.excuse(at: now) {
      complaint?.arm(at: end < .never ? end.nanoseconds : nil)
    } else {
      isSilenceReported = true
      note(.silentX(displayName))
    }
  }

  /// A server that does not answer shows nothing new either: there is nothing to turn the picture for.
  func reportVisibility() {
    let isVisible = answers?.isAnswering != false && session?.visibility.isVisible != false
    report(.displayPowerChanged(isOn: isVisible))
  }

  func end(_ reason: Message? = nil) {
    socket?.cancel()
    socket = nil
    answers?.stop()
    complaint?.arm(at: nil)
    turns.failAll { .silent($0, displayName) }
    report.end(reason ?? Message(.displayEnded, "the X server of display \(displayName) has ended"))
  }
}
