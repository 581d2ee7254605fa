// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A session whose compositor supports wlroots' protocols: wlr-output-management for rotation,
/// wlr-foreign-toplevel-management for the focus. The compositor rotates touchscreens and pens itself.
package final class WlrootsBackend: DesktopBackend {
  package let name = "wlroots"

  private let loop: EventLoop
  private let session: WlrootsSession
  private let nextPass: NextLoopPass
  private var limit: EventTimer?
  private var power: PowerWatch?

  private let report = Reporter()
  private let queue: RotationQueue
  private let visited = ArrangementHistory()
  private var rotation: OutputRotation?
  /// Why the session has ended, set while pending rotations fail.
  private var ending: Message?

  private let timeout: Int64

  /// - Parameters:
  ///   - display: a name or a path; overrides `WAYLAND_DISPLAY`.
  ///   - timeout: the time limit of one rotation, with all attempts, and for connecting; nanoseconds.
  /// - Throws: `Message`
  package init(
    loop: EventLoop, display: String? = nil, settings: DisplaySettings = DisplaySettings(),
    timeout: Int64? = nil, note: @escaping (Message) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.timeout = timeout ?? WaylandConnection.timeout
    session = try WlrootsSession(display: display, timeout: self.timeout)
    nextPass = try NextLoopPass(loop)
    queue = RotationQueue(report, nextPass)
    limit = try loop.timer { [weak self] in self?.rotation?.end(.failure(.noAnswer)) }
    power = try PowerWatch(session.connection, on: loop) { [weak self] in self?.askPower() }
    if session.focus == nil { note(session.focusRemark) }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try session.connection.start(
      on: loop, afterEvents: { [weak self] in self?.refresh() }, gone: { [weak self] in self?.end($0) })
    nextPass { [weak self] in self?.refresh() }
  }

  /// No setting matters here: the caller names the output to rotate.
  package func use(_ settings: DisplaySettings) {}

  package var applications: [[String]]? { session.focus?.applications }

  package func watchForBlanking(_ isWanted: Bool) { power?.interest.awaitsOff = isWanted }

  package func watchTitles(_ isWanted: Bool) {
    guard let focus = session.focus, focus.watchesTitles != isWanted else { return }
    focus.watchesTitles = isWanted
    nextPass { [weak self] in self?.refresh() }
  }

  package func visibilityChanged(isVisible: Bool) { power?.interest.isVisible = isVisible }

  package func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    queue.add(rotations, completion) { [weak self] in self?.rotate(rotations, completion: $0) }
  }

  private func rotate(_ rotations: [PanelRotation], completion: @escaping RotationQueue.Completion) {
    if let ending { return completion(.failure(ending)) }
    let rotation = OutputRotation(rotations, session.connection, session.manager, visited: visited) {
      [weak self] result in self?.finish(result, completion)
    }
    self.rotation = rotation
    limit?.arm(at: EventLoop.now + timeout)
    guard session.connection.failure == nil, askPower(of: rotations) else { return begin(rotation) }
    // Some compositors do not report that an output is off, and switch it on when it is rotated.
    session.connection.afterRoundTrip { [weak self] in self?.begin(rotation) }
  }

  /// - Returns: whether there will be an answer.
  private func askPower(of rotations: [PanelRotation]) -> Bool {
    let outputs = rotations.compactMap { session.outputs[$0.output] }
    return outputs.count { session.outputs.askPower(of: $0) } > 0
  }

  private func begin(_ rotation: OutputRotation) {
    guard !rotation.isFinished else { return }
    do throws(Message) { try rotation.begin() } catch { nextPass { rotation.end(.failure(error)) } }
  }

  private func finish(_ result: Result<Void, Message>, _ completion: RotationQueue.Completion) {
    limit?.arm(at: nil)
    rotation = nil
    // An output that is off cannot be rotated, which is no fault: so report that first.
    if case .failure = result { refreshOutputs() }
    completion(result)
  }

  private func refresh() {
    guard !session.manager.isFinished else {
      return end(Message(.displayEnded, "the compositor has withdrawn its outputs"))
    }
    refreshOutputs()
    if session.focus?.isStale != false { report(.focusChanged(session.focus?.read())) }
  }

  private func askPower() {
    session.outputs.askPower()
    session.connection.flush()
  }

  private func refreshOutputs() {
    let outputs = session.manager.outputs
    // For a disabled head the compositor reports when it is enabled again.
    power?.interest.isOff = outputs.contains(where: \.isOff)
    report(.outputsChanged(outputs.named))
  }

  /// Pending rotations fail first.
  private func end(_ reason: Message) {
    session.connection.stop()
    ending = reason
    rotation?.end(.failure(reason))
    ending = nil
    report.end(reason)
  }
}

/// A connection to a compositor with wlroots' protocols, and its state.
final class WlrootsSession {
  let connection: WaylandConnection
  let outputs: WaylandOutputs
  let manager: OutputManager
  /// `nil` if the compositor does not report the focus.
  let focus: ToplevelFocus?

  /// - Parameter timeout: the time limit for each of the compositor's two answers; nanoseconds.
  init(display: String? = nil, timeout: Int64 = WaylandConnection.timeout) throws(Message) {
    connection = try WaylandConnection(display: display, timeout: timeout)
    outputs = WaylandOutputs(connection)
    guard let manager = OutputManager(connection, sizes: outputs) else {
      throw .compositor(on: connection.path, lacks: "wlr-output-management")
    }
    self.manager = manager
    outputs.askPower()
    focus = ToplevelFocus(connection, outputs: outputs)
    try connection.firstRoundTrip()
  }

  /// The name of the compositor's program, if known.
  var compositor: Phrase { connection.compositor.map { "\($0)" } ?? "the compositor" }

  var focusRemark: Message {
    guard focus == nil else {
      return Message(
        .focusKnown, "\(compositor) reports which window has focus (wlr-foreign-toplevel-management)")
    }
    return Message(
      .focusUnknown, "\(compositor) does not report the focused window, so app rules have no effect",
      next: "use a compositor with wlr-foreign-toplevel-management if you need them")
  }
}

extension WlrootsBackend {
  /// Inspects the compositor, in 2 s at most.
  static func inspect(settings: DisplaySettings) throws -> DisplayInspection {
    let session = try WlrootsSession()
    let outputs = session.manager.outputs.named
    return DisplayInspection(
      system: "\(session.compositor) on \(session.connection.name)", outputs: outputs,
      touch: MappedTouchscreens().remarks(
        on: outputs, settings, compositor: session.connection.compositor),
      focus: session.focusRemark)
  }
}
