// SPDX-License-Identifier: MIT

package import Autorotation
import CXCB
package import System

/// An X11 session: RandR rotates the outputs, and XInput's matrices make touchscreens and pens follow.
///
/// Everything waits for the X server in the event loop: for the connection (`X11ConnectionAttempt`), for the end of a
/// rotation (`RandRRotation`), and for a server that does not answer (`X11Replies`).
package final class X11Backend: DesktopBackend {
  package let name = "X11"

  let loop: EventLoop
  let displayName: String
  let timeouts: X11Timeouts
  let note: (Message) -> Void
  let nextPass: NextLoopPass
  var connecting: X11ConnectionAttempt?
  var session: X11Session?
  var answers: X11AnswerWatch?
  var terminal: TerminalSwitch
  var settings: DisplaySettings
  var disabledInput: DisabledInput?
  var watchesTitles = false
  var isSilenceReported = false

  var socket: EventSource?
  let report = Reporter()
  let queue: RotationQueue
  /// The rotation that has begun, and what receives its result.
  var underWay: (rotation: RandRRotation, finish: RotationQueue.Completion)?
  let visited = ArrangementHistory()
  var fingers = TouchingFingers()
  /// What has to be read again after the last events.
  var stale = Stale()

  struct Stale {
    /// The outputs, and the matrices that map touch to them.
    var outputs = true
    var devices = true
    /// Whether the user has requested a repair of touch.
    var isRepairRequested = false
  }

  /// - Parameters:
  ///   - display: like `DISPLAY`; `nil` for `DISPLAY` itself.
  ///   - note: receives messages for the user.
  /// - Throws: `Message`. A server that does not answer is no error: the connection is completed later.
  package init(
    loop: EventLoop, display: String? = nil, settings: DisplaySettings = DisplaySettings(),
    timeouts: X11Timeouts = X11Timeouts(), note: @escaping (Message) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.settings = settings
    self.timeouts = timeouts
    self.note = note
    terminal = TerminalSwitch(timeout: .nanoseconds(timeouts.terminalSwitch))
    nextPass = try NextLoopPass(loop)
    queue = RotationQueue(report, nextPass)
    let connecting = try X11ConnectionAttempt(display: display)
    self.connecting = connecting
    displayName = connecting.displayName
    answers = try X11AnswerWatch(loop, timeout: timeouts.silence) { [weak self] in self?.answersChanged($0) }
    if connecting.wait(until: EventLoop.now + timeouts.replies) { try begin() }
    answers?.isDue = session == nil
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try listen()
    nextPass { [weak self] in self?.proceed() }
  }

  package func apply(_ wanted: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    let ended: RotationQueue.Completion = { [weak self] result in
      if case .failure(let reason) = result, reason.code != .displaySilent { self?.reportCauses() }
      completion(result)
      self?.nextPass { [weak self] in self?.proceed() }
    }
    queue.add(wanted, ended) { [weak self] in try self?.begin(wanted, $0) }
    answers?.isDue = isAnswerDue
  }

  package func repair() {
    (stale.outputs, stale.isRepairRequested) = (true, true)
    session?.restoration.retryNow(at: now)
    nextPass { [weak self] in self?.proceed() }
  }

  package func sessionChanged(isActive: Bool) {
    terminal.sessionChanged(isActive: isActive, at: now)
    if answers?.isAnswering == false, !isSilenceReported { reportSilence() }
    nextPass { [weak self] in self?.proceed() }
  }

  package func use(_ settings: DisplaySettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    session?.touch?.settings = settings
    stale.devices = true
    nextPass { [weak self] in self?.proceed() }
  }

  package func watchTitles(_ isWanted: Bool) {
    guard isWanted != watchesTitles else { return }
    watchesTitles = isWanted
    session?.focus.watchesTitles = isWanted
    nextPass { [weak self] in self?.proceed() }
  }

  package func disable(_ devices: DisabledInput?) -> Bool {
    if let session, session.disabled == nil { return false }
    disabledInput = devices
    session?.disabled?.wanted = devices
    stale.devices = true
    nextPass { [weak self] in self?.proceed() }
    return true
  }

  package func stop() {
    session?.stop(isRotating: underWay?.rotation.hasSentRequests ?? false)
  }
}
