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

  let loop: EventLoop
  let displayName: String
  let patience: X11Patience
  let note: (Message) -> Void
  let nextTurn: NextTurn
  var connecting: X11Connecting?
  var session: X11Session?
  var answers: X11AnswerWatch?
  /// Reports silence after a switch of virtual terminals; armed while that is under way and the server is silent.
  var complaint: EventTimer?
  var terminal: TerminalSwitch
  var settings: DisplaySettings
  var disabledInput: DisabledInput?
  var isSilenceReported = false

  var socket: EventSource?
  let report = Reporter()
  let turns: RandRTurns
  let visited = VisitedArrangements()
  var fingers = FingersDown()
  /// What the events that came since have left to be read again.
  var stale = Stale()

  struct Stale {
    var outputs = true
    var devices = true
    var touch = false
    /// Whether the user has asked to check touch.
    var isRepairWanted = false
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
    terminal = TerminalSwitch(patience: .nanoseconds(patience.terminalSwitch))
    turns = RandRTurns(report)
    nextTurn = try NextTurn(loop)
    let connecting = try X11Connecting(display: display)
    self.connecting = connecting
    displayName = connecting.displayName
    turns.willFail = { [weak self] in self?.reportCauses() }
    answers = try X11AnswerWatch(loop, patience: patience.silence) { [weak self] in self?.answersChanged($0) }
    complaint = try loop.timer { [weak self] in self?.reportSilence() }
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

  package func repair() {
    (stale.touch, stale.isRepairWanted) = (true, true)
    session?.restoration.hurry(at: now)
    nextTurn { [weak self] in self?.proceed() }
  }

  package func sessionChanged(isActive: Bool) {
    terminal.sessionChanged(isActive: isActive, at: now)
    if answers?.isAnswering == false, !isSilenceReported { reportSilence() }
    nextTurn { [weak self] in self?.proceed() }
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
    session?.stop(isTurning: turns.areSent)
    turns.forget()
    socket?.cancel()
    socket = nil
    answers?.stop()
    complaint?.cancel()
    complaint = nil
    connecting = nil
    nextTurn.cancel()
    report.stop()
  }
}
