// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A session whose compositor speaks wlroots' protocols: wlr-output-management turns the outputs,
/// wlr-foreign-toplevel-management tells who has focus. Touch and pen the compositor turns itself.
package final class WlrootsBackend: DesktopBackend {
  package let name = "wlroots"

  private let loop: EventLoop
  private let session: WlrootsSession
  private let nextTurn: NextTurn
  private var limit: EventTimer?
  /// For the light, while an output is dark in which a turn is due.
  private var lookout: EventTimer?

  private var report: (Event) -> Void = { _ in }
  private var gone: ((String) -> Void)?
  private var reported: [Output]?
  private var reportedWindow: Window?
  private var turn: OutputTurn?
  private var waiting: [Wish] = []

  private struct Wish {
    var transform: DisplayTransform
    var output: String
    var completion: (Result<Void, RotationFailure>) -> Void
  }

  /// How long the compositor may take for one turn, with all attempts.
  static let patience: Int64 = 2_000_000_000
  /// labwc since 0.9 tells nobody of the light either, which is to be seen within half a second; in nanoseconds.
  private static let darkInterval: Int64 = 400_000_000

  /// - Parameters:
  ///   - display: like `WAYLAND_DISPLAY`, a name or a path, which is taken if it is `nil`.
  ///   - note: takes sentences for the person.
  /// - Throws: `WaylandUnavailable`
  package init(
    loop: EventLoop, display: String? = nil, settings: DisplaySettings = DisplaySettings(),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    session = try WlrootsSession(display: display)
    nextTurn = try NextTurn(loop)
    limit = try loop.timer { [weak self] in self?.turn?.fail(.noAnswer) }
    lookout = try loop.timer { [weak self] in self?.lookForLight() }
    if session.focus == nil {
      note("\(session.compositor) tells nobody which window has focus: rules for applications will not apply")
    }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (String) -> Void) throws {
    self.report = report
    self.gone = gone
    try session.connection.start(
      on: loop, afterEvents: { [weak self] in self?.refresh() }, gone: { [weak self] in self?.end($0) })
    nextTurn { [weak self] in self?.refresh() }
  }

  /// Nothing of them concerns what this does: the caller names the output to turn.
  package func use(_ settings: DisplaySettings) {}

  package var applications: [[String]]? { session.focus?.applications }

  package func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, RotationFailure>) -> Void
  ) {
    waiting.append(Wish(transform: transform, output: output, completion: completion))
    turnNext()
  }

  package func stop() {
    session.connection.stop()
    nextTurn.cancel()
    limit?.cancel()
    limit = nil
    lookout?.cancel()
    lookout = nil
    turn = nil
    waiting = []
    report = { _ in }
    gone = nil
  }

  private func turnNext() {
    guard turn == nil, !waiting.isEmpty else { return }
    let wish = waiting.removeFirst()
    let turn = OutputTurn(wish.output, to: wish.transform, session.connection, session.manager) {
      [weak self] result in self?.finish(wish, result)
    }
    self.turn = turn
    limit?.arm(at: EventLoop.now + Self.patience)
    guard session.connection.failure == nil, let output = session.outputs[wish.output],
      session.outputs.askPower(of: output)
    else { return begin(turn) }
    // Some tell nobody that an output has gone dark, and light it when it is turned.
    session.connection.afterRoundTrip { [weak self] in self?.begin(turn) }
    session.connection.flush()
  }

  private func begin(_ turn: OutputTurn) {
    guard !turn.isFinished else { return }
    do throws(RotationFailure) {
      if let failure = session.connection.failure { throw RotationFailure("\(failure)") }
      try turn.begin()
    } catch {
      nextTurn { turn.fail(error) }
    }
  }

  private func finish(_ wish: Wish, _ result: Result<Void, RotationFailure>) {
    limit?.arm(at: nil)
    turn = nil
    // What has gone dark cannot be turned, and that is no fault: so that is told first.
    if case .failure = result { refreshOutputs() }
    wish.completion(result)
    turnNext()
  }

  private func refresh() {
    guard !session.manager.isFinished else { return end("the compositor has withdrawn its outputs") }
    refreshOutputs()
    refreshFocus()
  }

  private func lookForLight() {
    if session.outputs.askInTheDark() { session.connection.flush() }
  }

  private func watchForLight() {
    let isDark = session.outputs.outputs.contains { !$0.hasPower }
    lookout?.arm(at: isDark ? EventLoop.now + Self.darkInterval : nil)
  }

  private func refreshOutputs() {
    watchForLight()
    let outputs = session.manager.measuredLayout.outputs
    guard outputs != reported else { return }
    reported = outputs
    report(.outputsChanged(outputs))
  }

  private func refreshFocus() {
    guard let focus = session.focus, focus.isStale else { return }
    let window = focus.read()
    guard window != reportedWindow else { return }
    reportedWindow = window
    report(.focusChanged(window))
  }

  /// Whoever waits for a turn learns first that there will be none.
  private func end(_ why: String) {
    session.connection.stop()
    let gone = gone
    self.gone = nil
    waiting.forEach { $0.completion(.failure(RotationFailure("\(why)"))) }
    waiting = []
    turn?.fail(RotationFailure("\(why)"))
    gone?(why)
  }
}
