// SPDX-License-Identifier: MIT

package import Autorotation
import CXCB
package import System

/// An X11 session: RandR turns the outputs, XInput's matrices let touch and pen follow.
///
/// The X server is waited for in the loop, as everything is: to be connected with (`X11Connecting`), to have
/// turned (`RandRRotation`), and to answer again when it did not (`X11Replies`).
package final class X11Backend: DesktopBackend {
  package let name = "X11"

  private let loop: EventLoop
  private let displayName: String
  private let patience: X11Patience
  private let note: (Message) -> Void
  private let nextTurn: NextTurn
  private var connecting: X11Connecting?
  /// Stood still in the middle of an answer; kept until the server has gone on.
  private var abandoned: X11Session?
  private(set) var session: X11Session?
  private var answers: X11AnswerWatch?
  private var settings: DisplaySettings
  private var disabledInput: DisabledInput?
  private var isTouchOff = false

  private var socket: EventSource?
  private let report = Reporter()
  private let turns: RandRTurns
  private let visited = VisitedArrangements()
  private var fingers = FingersDown()
  /// What the events that came since have left to be read again.
  private var stale = Stale()

  private struct Stale {
    var outputs = true
    var devices = true
  }

  /// - Parameters:
  ///   - display: like `DISPLAY`, which is taken if it is `nil`.
  ///   - note: takes what the person is told.
  /// - Throws: `Message`. One that does not answer is waited for later.
  package init(
    loop: EventLoop, display: String? = nil, settings: DisplaySettings = DisplaySettings(),
    patience: X11Patience = X11Patience(), note: @escaping (Message) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.settings = settings
    self.patience = patience
    self.note = note
    turns = RandRTurns(report)
    nextTurn = try NextTurn(loop)
    let connecting = try X11Connecting(display: display)
    self.connecting = connecting
    displayName = connecting.displayName
    turns.willFail = { [weak self] in self?.doubtVisibility() }
    answers = try X11AnswerWatch(loop, patience: patience.silence) { [weak self] in self?.answersChanged($0) }
    if connecting.wait(until: EventLoop.now + patience.replies) { try begin() }
    answers?.isDue = session == nil
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try listen()
    nextTurn { [weak self] in self?.proceed() }
  }

  package func apply(_ wanted: [PanelTurn], completion: @escaping (Result<Void, Message>) -> Void) {
    guard let session, answers?.isAnswering == true else {
      return nextTurn { [displayName] in completion(.failure(.silent(wanted.names, displayName))) }
    }
    let rotation = RandRRotation(
      wanted, randr: session.randr, touch: session.touch, lifeline: session.lifeline,
      fullscreen: session.fullscreen, visited: visited)
    turns.add(rotation, completion)
    if turns.begin(session.connection.replies) {
      nextTurn { [weak self] in
        self?.turns.tellResult()
        self?.proceed()
      }
    }
    answers?.isDue = isAnswerDue
  }

  package func use(_ settings: DisplaySettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    session?.touch?.settings = settings
    session?.disabled?.settings = settings
    stale.devices = true
    nextTurn { [weak self] in self?.proceed() }
  }

  package func disable(_ devices: DisabledInput?) -> Bool {
    if let session, session.disabled == nil { return false }
    disabledInput = devices
    session?.disabled?.wanted = devices
    stale.devices = true
    nextTurn { [weak self] in self?.proceed() }
    return true
  }

  package var touchSwitching: TouchSwitching? { BackendKind.x11.touchSwitching }

  package func switchTouch(isOn: Bool) {
    isTouchOff = !isOn
    session?.disabled?.isTouchOff = isTouchOff
    stale.devices = true
    nextTurn { [weak self] in self?.proceed() }
  }

  package func stop() {
    session?.stop(isTurning: turns.areSent)
    turns.forget()
    socket?.cancel()
    socket = nil
    answers?.stop()
    connecting = nil
    nextTurn.cancel()
    report.stop()
  }

  // MARK: Connecting

  private func begin() throws {
    guard let connecting else { return }
    self.connecting = nil
    do {
      let session = try X11Session(
        connecting.finish(patience: patience.replies), loop: loop, settings: settings, note: note
      ) {
        [weak self] in self?.proceed()
      }
      session.disabled?.wanted = disabledInput
      session.disabled?.isTouchOff = isTouchOff
      self.session = session
      abandoned = nil
    } catch let error as Message where error.code == .displaySilent {
      // Whatever was learned is out of date when it goes on.
      self.connecting = try X11Connecting(display: displayName)
    }
  }

  /// Waits for what comes next from the server: the connection, or events.
  private func listen() throws {
    socket?.cancel()
    guard let session else {
      guard let connecting else { return }
      socket = try loop.watch(connecting.descriptor) { [weak self] in self?.connected() }
      return
    }
    let socket = try loop.watch(session.connection.descriptor) { [weak self] in
      self?.handleEvents(reading: true)
    }
    try socket.beforeWaiting { [weak self] in
      self?.handleEvents(reading: false)
      self?.session?.connection.replies.endPass()
    }
    self.socket = socket
  }

  private func connected() {
    endIfImpossible {
      try begin()
      try listen()
      proceed()
    }
  }

  private func endIfImpossible(_ attempt: () throws -> Void) {
    do { try attempt() } catch { end(error as? Message ?? Message(.displayEnded, "\(error)")) }
  }

  private func lost(_ session: X11Session) {
    guard session.connection.replies.areCut else { return end() }
    endIfImpossible { try connectAgain(inPlaceOf: session) }
  }

  /// In place of a connection that was given up in the middle of an answer. The server has that one still when it
  /// goes on, and does what it was sent there.
  private func connectAgain(inPlaceOf session: X11Session) throws {
    connecting = try X11Connecting(display: displayName)
    self.session = nil
    abandoned = session
    session.connection.replies.endPass()
    turns.failAll { .silent($0, displayName) }
    stale = Stale()
    if fingers.keep(onlyOn: []) { report(.touchEnded) }
    try listen()
    answers?.isDue = isAnswerDue
  }

  // MARK: Events

  private func handleEvents(reading: Bool) {
    guard let session else { return }
    session.connection.drainEvents(reading: reading, handle)
    proceed()
    // What came along with replies is in xcb's queue, of which no descriptor tells.
    if session.connection.drainEvents(reading: false, handle) {
      nextTurn { [weak self] in self?.proceed() }
    }
  }

  private func handle(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
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

  private func handle(_ change: XInput.Change) {
    switch change {
    case .devices: stale.devices = true
    case .touchBegan(let finger): if isOnPanel(finger), fingers.began(finger) { report(.touchBegan) }
    case .touchEnded(let finger): if fingers.ended(finger) { report(.touchEnded) }
    case .moved(let device): session?.pens?.moved(device)
    }
  }

  private func isOnPanel(_ finger: Finger) -> Bool {
    session?.touch?.devices.contains { $0.id == finger.device } ?? false
  }

  // MARK: One pass

  /// Goes on with what is under way, and then reads again what has changed, once for all the events of a
  /// batch; as far as the server answers.
  private func proceed() {
    guard let session, report.isRunning else { return }
    if session.connection.replies.beginPass() { turns.advance() }
    if session.connection.isBroken { return lost(session) }
    // While it turns, the server would let whoever asks it wait.
    if turns.isEmpty, !session.connection.replies.areLate { refresh(session) }
    answers?.isDue = isAnswerDue
  }

  private var isAnswerDue: Bool {
    session.map { !turns.isEmpty || $0.connection.replies.areLate } ?? (connecting != nil)
  }

  /// A turn that failed while nobody could see it is not a failure, so that is found out first.
  private func doubtVisibility() {
    guard let session else { return }
    session.visibility.doubt()
    try? session.visibility.read()
    reportVisibility()
  }

  private func refresh(_ session: X11Session) {
    // Anything but a broken connection, or one that is silent, is a thing that vanished between question and
    // answer, of which another event tells.
    do {
      if session.visibility.isStale {
        try session.visibility.read()
        reportVisibility()
      }
      if stale.devices { try refreshDevices(session) }
      if stale.outputs { try refreshOutputs(session) }
      try refreshFocus(session)
      try session.pens?.refresh()
      try session.fullscreen.refresh(session.randr)
      if let event = session.pens?.news { report(event) }
    } catch {
      switch error.code {
      case .displayEnded: lost(session)
      case .displaySilent: break
      default: stale = Stale(outputs: false, devices: false)
      }
    }
  }

  private func refreshDevices(_ session: X11Session) throws(Message) {
    try session.touch?.findDevices()
    try session.pens?.find(settings)
    try session.disabled?.settle()
    stale = Stale(outputs: true, devices: false)
    let present = Set(session.touch?.devices.map(\.id) ?? [])
    if fingers.keep(onlyOn: present) { report(.touchEnded) }
  }

  private func refreshOutputs(_ session: X11Session) throws(Message) {
    let state = try session.randr.read()
    try session.touch?.follow(state)
    stale.outputs = false
    session.focus.lay(out: state.displays(first: panelName(state)))
    report(.outputsChanged(state.outputs))
  }

  private func refreshFocus(_ session: X11Session) throws(Message) {
    guard session.focus.isStale else { return }
    report(.focusChanged(try session.focus.refresh()))
  }

  private func panelName(_ state: RandRState) -> String? {
    state.panelName(chosen: settings.output)
  }

  // MARK: What does not answer, or is not seen

  private func answersChanged(_ isAnswering: Bool) {
    if !isAnswering { note(.silentX(displayName)) }
    reportVisibility()
    if !isAnswering { turns.failUnsent { .silent($0, displayName) } }
  }

  /// A server that does not answer shows nothing new either: there is nothing to turn the picture for.
  private func reportVisibility() {
    let isVisible = answers?.isAnswering != false && session?.visibility.isVisible != false
    report(.displayPowerChanged(isOn: isVisible))
  }

  private func end(_ reason: Message? = nil) {
    socket?.cancel()
    socket = nil
    answers?.stop()
    turns.failAll { .silent($0, displayName) }
    report.end(reason ?? Message(.displayEnded, "the X server of display \(displayName) has ended"))
  }
}
