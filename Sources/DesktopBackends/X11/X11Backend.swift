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
  private let note: (String) -> Void
  private let nextTurn: NextTurn
  private var connecting: X11Connecting?
  private(set) var session: X11Session?
  private var answers: X11AnswerWatch?
  private var settings: DisplaySettings
  private var disabledInput: DisabledInput?

  private var socket: EventSource?
  private var report: (Event) -> Void = { _ in }
  private var gone: ((String) -> Void)?
  private var turns: [Turn] = []
  private var reported: [Output]?
  private var reportedWindow: Window?
  private var reportedVisible = true
  private var fingers = FingersDown()
  /// What the events that came since have left to be read again.
  private var stale = Stale()

  private struct Stale {
    var outputs = true
    var devices = true
  }

  /// The first one is under way.
  private struct Turn {
    var rotation: RandRRotation
    var completion: (Result<Void, RotationFailure>) -> Void
    /// What came of it, if that was known at once: it is told in the next pass, before anything that came later.
    var result: Result<Void, RotationFailure>?
  }

  /// - Parameters:
  ///   - display: like `DISPLAY`, which is taken if it is `nil`.
  ///   - note: takes sentences for the person.
  /// - Throws: `X11Unavailable`, or what the X server answered. One that does not answer is waited for later.
  package init(
    loop: EventLoop, display: String? = nil, settings: DisplaySettings = DisplaySettings(),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.settings = settings
    self.note = note
    nextTurn = try NextTurn(loop)
    let connecting = try X11Connecting(display: display)
    self.connecting = connecting
    displayName = connecting.displayName
    answers = try X11AnswerWatch(loop) { [weak self] in self?.answersChanged($0) }
    if connecting.wait(until: EventLoop.now + X11Replies.patience) { try begin() }
    answers?.isDue = session == nil
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (String) -> Void) throws {
    self.report = report
    self.gone = gone
    try listen()
    nextTurn { [weak self] in self?.proceed() }
  }

  package func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, RotationFailure>) -> Void
  ) {
    guard let session, answers?.isAnswering == true else {
      return nextTurn { [displayName] in completion(.failure(.silent(output, displayName))) }
    }
    let rotation = RandRRotation(
      output, to: transform, randr: session.randr, touch: session.touch, lifeline: session.lifeline,
      panelName: panelName)
    turns.append(Turn(rotation: rotation, completion: completion))
    guard turns.count == 1, session.connection.replies.beginPass() else { return }
    if let result = rotation.advance() {
      turns[0].result = result
      nextTurn { [weak self] in
        self?.tellResult()
        self?.proceed()
      }
    }
    answers?.isDue = isAnswerDue
  }

  package func use(_ settings: DisplaySettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    session?.touch?.settings = settings
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

  package func stop() {
    session?.stop(isTurning: turns.contains(where: \.rotation.isSent))
    turns = []
    socket?.cancel()
    socket = nil
    answers?.stop()
    connecting = nil
    nextTurn.cancel()
    report = { _ in }
    gone = nil
  }

  // MARK: Connecting

  private func begin() throws {
    guard let connecting else { return }
    self.connecting = nil
    do {
      let session = try X11Session(connecting.finish(), loop: loop, settings: settings, note: note)
      session.disabled?.wanted = disabledInput
      self.session = session
    } catch X11Error.late, X11Unavailable.silent {
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
    try socket.beforeWaiting { [weak self] in self?.handleEvents(reading: false) }
    self.socket = socket
  }

  private func connected() {
    do {
      try begin()
      try listen()
      proceed()
    } catch { end("\(error)") }
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
    }
  }

  private func isOnPanel(_ finger: Finger) -> Bool {
    session?.touch?.devices.contains { $0.id == finger.device } ?? false
  }

  // MARK: One pass

  /// Goes on with what is under way, and then reads again what has changed, once for all the events of a
  /// batch; as far as the server answers.
  private func proceed() {
    guard let session, gone != nil else { return }
    if session.connection.replies.beginPass() { advanceTurns() }
    if session.connection.isBroken { return end() }
    // While it turns, the server would let whoever asks it wait.
    if turns.isEmpty, !session.connection.replies.areLate { refresh(session) }
    answers?.isDue = isAnswerDue
  }

  private var isAnswerDue: Bool {
    session.map { !turns.isEmpty || $0.connection.replies.areLate } ?? (connecting != nil)
  }

  /// Also when the server has ended, and nothing goes on.
  private func tellResult() {
    guard let turn = turns.first, let result = turn.result else { return }
    turns.removeFirst()
    complete(turn.completion, result)
  }

  private func advanceTurns() {
    while let turn = turns.first, let result = turn.result ?? turn.rotation.advance() {
      turns.removeFirst()
      complete(turn.completion, result)
    }
  }

  /// A turn that failed while nobody could see it is not a failure, so that is found out first.
  private func complete(
    _ completion: (Result<Void, RotationFailure>) -> Void, _ result: Result<Void, RotationFailure>
  ) {
    if let session, case .failure = result {
      session.visibility.doubt()
      try? session.visibility.read()
      reportVisibility()
    }
    // Somebody may turn it back before it is read again, to what was reported last.
    reported = nil
    completion(result)
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
    } catch .gone { end() } catch .late {} catch { stale = Stale(outputs: false, devices: false) }
  }

  private func refreshDevices(_ session: X11Session) throws(X11Error) {
    try session.touch?.findDevices()
    try session.disabled?.settle()
    stale = Stale(outputs: true, devices: false)
    let present = Set(session.touch?.devices.map(\.id) ?? [])
    if fingers.keep(onlyOn: present) { report(.touchEnded) }
  }

  private func refreshOutputs(_ session: X11Session) throws(X11Error) {
    let state = try session.randr.read()
    if let panel = panelName(state), let place = state.place(of: panel) { try session.touch?.follow(place) }
    stale.outputs = false
    session.focus.lay(out: state.displays(first: panelName(state)))
    let outputs = state.outputs
    guard outputs != reported else { return }
    reported = outputs
    report(.outputsChanged(outputs))
  }

  private func refreshFocus(_ session: X11Session) throws(X11Error) {
    guard session.focus.isStale else { return }
    let window = try session.focus.refresh()
    guard window != reportedWindow else { return }
    reportedWindow = window
    report(.focusChanged(window))
  }

  private func panelName(_ state: RandRState) -> String? {
    state.panelName(chosen: settings.output)
  }

  // MARK: What does not answer, or is not seen

  private func answersChanged(_ isAnswering: Bool) {
    if !isAnswering { note("\(X11Unavailable.silent(displayName))") }
    reportVisibility()
    if !isAnswering { giveUpUnsent() }
  }

  /// What was not sent yet may be out of date by the time it could be.
  private func giveUpUnsent() {
    let unsent = turns.filter { !$0.rotation.isSent }
    turns.removeAll { !$0.rotation.isSent }
    for turn in unsent { turn.completion(.failure(.silent(turn.rotation.output, displayName))) }
  }

  /// A server that does not answer shows nothing new either: there is nothing to turn the picture for.
  private func reportVisibility() {
    let isVisible = answers?.isAnswering != false && session?.visibility.isVisible != false
    guard isVisible != reportedVisible else { return }
    reportedVisible = isVisible
    report(.displayPowerChanged(isOn: isVisible))
  }

  private func end(_ reason: String? = nil) {
    socket?.cancel()
    socket = nil
    answers?.stop()
    let (gone, lost) = (gone, turns)
    self.gone = nil
    turns = []
    for turn in lost { turn.completion(.failure(.silent(turn.rotation.output, displayName))) }
    gone?(reason ?? "the X server of display \(displayName) has ended")
  }
}

extension RotationFailure {
  fileprivate static func silent(_ output: String, _ display: String) -> Self {
    Self("\(output) could not be turned: \(X11Unavailable.silent(display).description)")
  }
}
