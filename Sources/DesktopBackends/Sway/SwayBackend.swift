// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A sway session, or one of its kin, over its IPC.
///
/// Everything goes by IPC, also what wlroots' protocols offer: they are broken for headless outputs in sway
/// 1.7 and 1.8, and know neither touch nor XWayland's dialogs. sway does not tell when a finger is down.
package final class SwayBackend: DesktopBackend {
  package let name = "sway"

  private let loop: EventLoop
  private let connection: SwayConnection
  /// sway's process, if it is known.
  private let server: Int32?
  private let touch: SwayTouch
  private let disabled: SwayDisabledInput
  private let note: (String) -> Void
  private let desktopFiles = DesktopFiles()
  private var settings: DisplaySettings
  private let report = Reporter()
  private let nextTurn: NextTurn
  private var known = SwayOutputs()
  private var watch: SwayOutputWatch?
  private var focus = SwayFocus()
  private lazy var readOutputs = Rereading { [weak self] in self?.requestOutputs(then: $0) }
  private lazy var readFocus = Rereading { [weak self] in self?.requestTree(then: $0) }
  private let rotations: RotationQueue
  private var rotation: SwayRotation?
  private var turns = RememberedTurns()
  private var isSilent = false

  /// Connects to the sway that SWAYSOCK names, or XDG_RUNTIME_DIR and WAYLAND_DISPLAY.
  /// - Parameter note: takes sentences for the person.
  /// - Throws: `SwayUnavailable`.
  package convenience init(
    loop: EventLoop, settings: DisplaySettings = DisplaySettings(),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    try self.init(loop: loop, socket: try SwaySocket().connect(), settings: settings, note: note)
  }

  /// - Parameters:
  ///   - patience: how long an answer may take, in nanoseconds.
  ///   - kernelDirectory: where the kernel tells of input devices.
  init(
    loop: EventLoop, socket: CompositorSocket, settings: DisplaySettings = DisplaySettings(),
    patience: Int64 = CompositorFailure.patience, kept: KeptSendEvents = KeptSendEvents(),
    kernelDirectory: String = KernelInput.usualDirectory,
    touchscreens: MappedTouchscreens = MappedTouchscreens(panel: ""),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.settings = settings
    self.note = note
    rotations = RotationQueue(report)
    connection = try SwayConnection(socket, loop: loop, patience: patience)
    nextTurn = try NextTurn(loop)
    server = socket.listener
    touch = SwayTouch(connection, settings: settings, touchscreens: touchscreens, note: note)
    disabled = SwayDisabledInput(
      connection, kept: kept, kernelDirectory: kernelDirectory, note: note)
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (String) -> Void) throws {
    self.report.start(report, gone: gone)
    connection.onEvent = { [weak self] event, value in self?.handle(event, value["change"]?.string) }
    connection.onWaking = { [weak self] in self?.wake() }
    connection.onEnd = { [weak self] reason in self?.end(reason) }
    readVersion()
    subscribe(.output) { [weak self] in self?.followOutputs($0) }
    for event in [SwayMessage.Event.workspace, .window, .input] { subscribe(event) }
    readOutputs()
    readConfiguration()
  }

  /// Each by itself: one that sway does not know, as 1.7 does not know `output`, would spoil the others.
  private func subscribe(
    _ event: SwayMessage.Event, _ completion: @escaping (SwayConnection.Answer) -> Void = { _ in }
  ) {
    connection.request(.subscribe, "[\"\(event.name)\"]", completion: completion)
  }

  private func followOutputs(_ answer: SwayConnection.Answer) {
    guard case .success(let value) = answer else { return }
    known.areFollowed = value["success"]?.bool ?? false
    guard !known.areFollowed, watch == nil else { return }
    watch = SwayOutputWatch(of: server, on: loop) { [weak self] in self?.outputsChanged() }
  }

  private func readVersion() {
    connection.request(.getVersion) { [weak self] answer in
      if case .success(let value) = answer { self?.touch.version = SwayVersion(value) }
    }
  }

  package func use(_ settings: DisplaySettings) {
    guard settings != self.settings else { return }
    self.settings = settings
    touch.settings = settings
    followPanel()
  }

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
      rotation = try SwayRotation(connection, loop: loop, output, to: transform, known.knowledge) {
        [weak self] outcome in
        self?.nextTurn { self?.finish(outcome, output, transform, completion) }
      }
      rotation?.start()
    } catch {
      nextTurn { completion(.failure(RotationFailure("\(output) was not turned (\(error))"))) }
    }
  }

  private func finish(
    _ outcome: SwayRotation.Outcome, _ output: String, _ transform: DisplayTransform,
    _ completion: (Result<Void, RotationFailure>) -> Void
  ) {
    rotation = nil
    known.take(outcome, of: output)
    if case .success = outcome.result {
      turns.remember(transform, of: output)
      completion(.success(()))
      return take(outcome.outputs ?? [])
    }
    // What has gone dark cannot be turned, and that is no fault: so that is told first.
    if outcome.outputs != nil { tell() }
    completion(outcome.result)
    if outcome.outputs == nil { readOutputs() }
  }

  package func disable(_ devices: DisabledInput?) -> Bool {
    disabled.wanted = devices
    readInputs()
    return true
  }

  package func stop() {
    touch.stop(panel)
    disabled.stop()
    watch?.stop()
    for undoing in known.forgetUnheeding() { connection.run(undoing) { _ in } }
    connection.close()
    nextTurn.cancel()
    report.stop()
  }

  private func handle(_ event: SwayMessage.Event, _ change: String?) {
    askIfDark(event)
    switch event {
    case .output: outputsChanged()
    case .input: if change == "added" || change == "removed" { readInputs() }
    case .workspace:
      // The only sign of a hotplug that 1.7 gives.
      if change != "focus" && change != "urgent" && change != "rename" { outputsChanged() }
      if change == "reload" { configurationWasRead() }
      readFocus()
    case .window: if change != "title" && change != "mark" && change != "urgent" { readFocus() }
    case .shutdown: break
    }
  }

  /// Where sway does not tell when what is dark is lit, anything else that it tells is a reason to ask.
  private func askIfDark(_ event: SwayMessage.Event) {
    guard !known.areFollowed, event != .output, known.outputs.contains(where: { !$0.isActive }) else {
      return
    }
    for undoing in known.forgetUnheeding() { connection.run(undoing) { _ in } }
    outputsChanged()
  }

  private func configurationWasRead() {
    known.configurationWasRead()
    turns.configurationWasRead(now: EventLoop.now)
    readOutputs()
    readConfiguration()
  }

  private func outputsChanged() {
    // A turn looks by itself.
    if let rotation { rotation.outputsChanged() } else { readOutputs() }
  }

  private func requestOutputs(then finish: @escaping () -> Void) {
    connection.request(.getOutputs) { [weak self] answer in
      if let value = self?.valid(answer) { self?.take(value.elements.compactMap(SwayOutput.init)) }
      finish()
    }
  }

  private func take(_ found: [SwayOutput]) {
    // A turn tells by itself.
    guard !rotations.isBusy else { return }
    known.take(found)
    turnAgain(turns.lost(in: known.outputs, panel: settings.output, now: EventLoop.now), note: note)
    guard !rotations.isBusy else { return }
    tell()
  }

  private func tell() {
    // Of the window nothing is told before.
    if !report.hasReportedOutputs { readFocus() }
    if report(.outputsChanged(known.outputs)) { followPanel() }
  }

  private var panel: Output? {
    let name = known.outputs.panelName(chosen: settings.output)
    return known.outputs.first { $0.name == name }
  }

  private func followPanel() {
    touch.follow(panel?.name, among: known.outputs)
  }

  private func readConfiguration() {
    connection.request(.getConfig) { [weak self] answer in
      guard let self else { return }
      touch.use(SwayConfiguration(valid(answer)?["config"]?.string ?? ""))
      readInputs()
    }
  }

  private func readInputs() {
    let sent = disabled.sent
    connection.request(.getInputs) { [weak self] answer in
      guard let self, let value = valid(answer) else { return }
      let inputs = value.elements.compactMap(SwayInput.init)
      touch.use(inputs)
      if sent == disabled.sent { disabled.settle(inputs) } else { readInputs() }
      followPanel()
    }
  }

  private func requestTree(then finish: @escaping () -> Void) {
    connection.request(.getTree) { [weak self] answer in
      if let value = self?.valid(answer) { self?.take(SwayTree(root: value)) }
      finish()
    }
  }

  private func take(_ tree: SwayTree) {
    guard report.hasReportedOutputs else { return }
    report(.focusChanged(focus.window(in: tree) { desktopFiles.orientations(of: $0) }))
  }

  /// The value, if there is one; else it is said, once until sway answers again.
  private func valid(_ answer: SwayConnection.Answer) -> JSONValue? {
    switch answer {
    case .success(let value):
      isSilent = false
      return value
    case .failure(.ended): return nil
    case .failure(let reason):
      if !isSilent { note("sway does not tell its state (\(reason)): it is asked again at the next change") }
      isSilent = true
      return nil
    }
  }

  private func wake() {
    readOutputs()
    readConfiguration()
    readFocus()
  }

  private func end(_ reason: CompositorFailure) {
    report.end(reason == .ended ? "sway has ended" : "sway's socket cannot be used any more: \(reason)")
  }
}
