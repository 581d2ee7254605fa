// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A niri session, over its IPC. Built by its source, 0.1.10 to 26.04; it does not run without a GPU.
///
/// niri turns touch with the panel by itself. It tells neither when an output was turned, nor whose dialog a window
/// is, nor when a finger is down.
package final class NiriBackend: DesktopBackend {
  package let name = "niri"

  private let loop: EventLoop
  private let path: String
  private let exchanges: CompositorExchanges
  private let note: (String) -> Void
  private let nextTurn: NextTurn
  private let desktopFiles = DesktopFiles()
  private let report = Reporter()
  private let rotations: RotationQueue
  private let visited = VisitedArrangements()
  private var rotation: NiriRotation?
  private var eventSocket: CompositorSocket?
  private var events: CompositorLines?
  private var turns = RememberedTurns()
  /// The output of the settings.
  private var panel: String?
  private var focus = NiriFocus()
  private var outputs: [NiriOutput] = []
  private var isSilent = false
  private lazy var readOutputs = Rereading { [weak self] in self?.requestOutputs(then: $0) }

  /// Connects to the niri that NIRI_SOCKET names, or XDG_RUNTIME_DIR and WAYLAND_DISPLAY.
  /// - Parameter note: takes sentences for the person.
  /// - Throws: `NiriUnavailable`.
  package convenience init(
    loop: EventLoop, settings: DisplaySettings = DisplaySettings(),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    let (path, socket) = try NiriSocket().find()
    try self.init(loop: loop, path: path, socket: socket, note: note)
    panel = settings.output
  }

  /// - Parameters:
  ///   - socket: connected to the path.
  ///   - patience: how long an answer may take, in nanoseconds.
  init(
    loop: EventLoop, path: String, socket: CompositorSocket,
    patience: Int64 = CompositorFailure.patience, note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.path = path
    self.note = note
    rotations = RotationQueue(report)
    eventSocket = socket
    exchanges = try CompositorExchanges(at: path, loop: loop, ending: .line, patience: patience)
    nextTurn = try NextTurn(loop)
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (String) -> Void) throws {
    self.report.start(report, gone: gone)
    if let socket = eventSocket {
      events = try CompositorLines(
        socket, loop: loop, saying: NiriReply.eventStream, line: { [weak self] in self?.handle($0) },
        ended: { [weak self] in self?.end($0) })
      eventSocket = nil
    }
    nextTurn { [weak self] in self?.readOutputs() }
  }

  package func use(_ settings: DisplaySettings) { panel = settings.output }

  package var applications: [[String]]? { focus.applications }

  package func apply(
    _ transform: DisplayTransform, to output: String,
    completion: @escaping (Result<Void, RotationFailure>) -> Void
  ) {
    rotations.add(transform, to: output, completion) { [weak self] in
      self?.turn(output, to: transform, completion: $0)
    }
  }

  private func turn(
    _ output: String, to transform: DisplayTransform,
    completion: @escaping (Result<Void, RotationFailure>) -> Void
  ) {
    do {
      rotation = try NiriRotation(
        exchanges, loop: loop, output, to: transform, visited: visited
      ) { [weak self] result in
        self?.nextTurn { self?.finish(result, output, transform, completion) }
      }
      rotation?.start()
    } catch {
      nextTurn { completion(.failure(RotationFailure("\(output) was not turned (\(error))"))) }
    }
  }

  private func finish(
    _ result: Result<[NiriOutput], RotationFailure>, _ output: String, _ transform: DisplayTransform,
    _ completion: (Result<Void, RotationFailure>) -> Void
  ) {
    let seen = rotation?.outputs ?? []
    rotation = nil
    guard case .success(let outputs) = result else {
      // That it is dark or gone is to be known before that it could not be turned, and so is no fault.
      if !seen.isEmpty { show(seen) }
      completion(result.map { _ in })
      return readOutputs()
    }
    turns.remember(transform, of: output)
    completion(.success(()))
    take(outputs)
  }

  package func stop() {
    events?.close()
    exchanges.close()
    nextTurn.cancel()
    report.stop()
  }

  private func handle(_ line: [UInt8]) {
    guard let event = JSONValue(line) else { return complain(.garbled("an event that is not JSON")) }
    if let words = event["Err"]?.string { return complain(.refused(words)) }
    if event["ConfigLoaded"] != nil { turns.configurationWasRead(now: EventLoop.now) }
    // The only sign of a hotplug, and of a configuration that was read before 25.11.
    if event["WorkspacesChanged"] != nil || event["ConfigLoaded"] != nil { readOutputs() }
    focus.take(event)
    reportFocus()
  }

  private func requestOutputs(then finish: @escaping () -> Void) {
    exchanges.ask(NiriReply.outputs) { [weak self] answer in
      switch answer.flatMap(NiriReply.value).map(NiriOutput.all) {
      case .success(let outputs?):
        self?.isSilent = false
        self?.take(outputs)
      case .success(nil): self?.complain(.garbled("no outputs"))
      case .failure(let reason): self?.complain(reason)
      }
      finish()
    }
  }

  private func take(_ outputs: [NiriOutput]) {
    // A turn tells by itself.
    guard !rotations.isBusy else { return }
    self.outputs = outputs
    let new = outputs.map(\.output)
    turnAgain(turns.lost(in: new, panel: panel, now: EventLoop.now), note: note)
    if !rotations.isBusy { show(outputs) }
  }

  private func show(_ outputs: [NiriOutput]) {
    self.outputs = outputs
    report(.outputsChanged(outputs.map(\.output)))
    reportFocus()
  }

  private func reportFocus() {
    guard report.hasReportedOutputs else { return }
    report(.focusChanged(focus.window(on: outputs) { desktopFiles.orientations(of: $0) }))
  }

  /// Says what cannot be read, once until niri answers again.
  private func complain(_ reason: CompositorFailure) {
    if !isSilent { note("niri does not tell its state (\(reason)): it is asked again at the next change") }
    isSilent = true
  }

  private func end(_ reason: CompositorFailure) {
    report.end(reason == .ended ? "niri has ended" : "niri's events cannot be read any more: \(reason)")
  }
}
