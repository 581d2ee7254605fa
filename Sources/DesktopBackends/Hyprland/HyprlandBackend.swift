// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A Hyprland session, over its two sockets. Built by its source, 0.41 to 0.57; it does not run without a GPU.
///
/// Its events tell neither when a monitor was turned or went dark, which Wayland does, nor whose dialog a window is, nor when a finger is down.
package final class HyprlandBackend: DesktopBackend {
  package let name = "Hyprland"

  static let monitorsRequest = "j/monitors all"
  /// It plans the monitors' reload, and says that the configuration was read; a busy one draws some time later.
  private static let looksAfterReload: [Int64] = [300, 1000, 3000].map { $0 * 1_000_000 }

  private let loop: EventLoop
  private let exchanges: CompositorExchanges
  private let touch: HyprlandTouch
  private let note: (String) -> Void
  private let nextTurn: NextTurn
  private let desktopFiles = DesktopFiles()
  private let report = Reporter()
  private let rotations: RotationQueue
  private let visited = VisitedArrangements()
  private var rotation: HyprlandRotation?
  private var settings: DisplaySettings
  private var events: CompositorLines?
  private var eventSocket: CompositorSocket?
  private let wayland: WaylandConnection?
  /// Kept for what they tell, since Wayland tells nothing of what nobody has bound.
  private let waylandOutputs: WaylandOutputs?
  private var later: EventTimer?
  private var language = HyprlandLanguage.keywords
  private var needsWholeRule: Set<String> = []
  private var turns = RememberedTurns(looks: looksAfterReload)
  private var monitors: [HyprlandMonitor] = []
  private var isSilent = false
  private lazy var readMonitors = Rereading { [weak self] in self?.requestMonitors(then: $0) }
  private lazy var readDevices = Rereading { [weak self] in self?.requestDevices(then: $0) }
  private lazy var readFocus = Rereading { [weak self] in self?.requestFocus(then: $0) }

  /// Connects to the Hyprland that HYPRLAND_INSTANCE_SIGNATURE names, or XDG_RUNTIME_DIR and WAYLAND_DISPLAY.
  /// - Parameter note: takes sentences for the person.
  /// - Throws: `HyprlandUnavailable`.
  package convenience init(
    loop: EventLoop, settings: DisplaySettings = DisplaySettings(),
    note: @escaping (String) -> Void = { _ in }
  ) throws {
    let place = try HyprlandSocket().connect()
    try self.init(
      loop: loop, place: place, wayland: try? WaylandConnection(), settings: settings, note: note)
  }

  /// - Parameters:
  ///   - wayland: tells when a monitor goes dark or was turned, which the events do not.
  ///   - patience: how long an answer may take, in nanoseconds.
  init(
    loop: EventLoop, place: HyprlandSocket.Place, wayland: WaylandConnection? = nil,
    settings: DisplaySettings = DisplaySettings(),
    patience: Int64 = CompositorFailure.patience, note: @escaping (String) -> Void = { _ in }
  ) throws {
    self.loop = loop
    self.settings = settings
    self.note = note
    rotations = RotationQueue(report)
    eventSocket = place.events
    self.wayland = wayland
    waylandOutputs = wayland.map(WaylandOutputs.init)
    exchanges = try CompositorExchanges(at: place.requests, loop: loop, ending: .close, patience: patience)
    touch = HyprlandTouch(exchanges, settings: settings, note: note)
    nextTurn = try NextTurn(loop)
    later = try loop.timer { [weak self] in self?.lookAgain() }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (String) -> Void) throws {
    self.report.start(report, gone: gone)
    if let socket = eventSocket {
      events = try CompositorLines(
        socket, loop: loop, line: { [weak self] in self?.handle($0) }, ended: { [weak self] in self?.end($0) }
      )
      eventSocket = nil
    }
    try wayland?.start(on: loop, afterEvents: { [weak self] in self?.readMonitors() }, gone: { _ in })
    nextTurn { [weak self] in self?.readAll() }
  }

  private func readAll() {
    askLanguage()
    readMonitors()
    readDevices()
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
      rotation = try HyprlandRotation(
        exchanges, loop: loop, language: language, needsWholeRule: needsWholeRule.contains(output), output,
        to: transform, visited: visited
      ) { [weak self] result in
        self?.nextTurn { self?.finish(result, output, transform, completion) }
      }
      rotation?.start()
    } catch {
      nextTurn { completion(.failure(RotationFailure("\(output) was not turned (\(error))"))) }
    }
  }

  private func finish(
    _ result: Result<[HyprlandMonitor], RotationFailure>, _ output: String, _ transform: DisplayTransform,
    _ completion: (Result<Void, RotationFailure>) -> Void
  ) {
    if rotation?.needsWholeRule == true { needsWholeRule.insert(output) }
    let seen = rotation?.monitors ?? []
    rotation = nil
    guard case .success(let monitors) = result else {
      // That it is dark or gone is to be known before that it could not be turned, and so is no fault.
      if !seen.isEmpty { show(seen) }
      completion(result.map { _ in })
      return readMonitors()
    }
    turns.remember(transform, of: output)
    self.monitors = monitors
    followPanel()
    completion(.success(()))
    take(monitors)
  }

  package func stop() {
    events?.close()
    wayland?.stop()
    exchanges.close()
    nextTurn.cancel()
    later?.cancel()
    report.stop()
  }

  private func handle(_ line: [UInt8]) {
    let words = String(decoding: line.prefix(64), as: UTF8.self).split(separator: ">", maxSplits: 1)
    switch words.first {
    case "activewindowv2", "fullscreen", "closewindow", "movewindow", "changefloatingmode", "workspace",
      "focusedmon", "activespecial":
      readFocus()
      if monitors.contains(where: { !$0.hasPower }) { readMonitors() }
    case "monitoradded", "monitorremoved":
      readMonitors()
      readDevices()
    case "configreloaded": configurationWasRead()
    default: break
    }
  }

  private func configurationWasRead() {
    turns.configurationWasRead(now: EventLoop.now)
    needsWholeRule = []
    touch.forget()
    readAll()
    later?.arm(at: turns.nextLook(after: EventLoop.now))
  }

  private func lookAgain() {
    readMonitors()
    later?.arm(at: turns.nextLook(after: EventLoop.now))
  }

  private func askLanguage() {
    exchanges.ask(HyprlandLanguage.question) { [weak self] answer in
      if case .success(let bytes) = answer { self?.language = HyprlandLanguage(answer: bytes) }
    }
  }

  private func requestMonitors(then finish: @escaping () -> Void) {
    ask(Self.monitorsRequest, then: finish) { backend, value in
      backend.take(value.elements.compactMap(HyprlandMonitor.init))
    }
  }

  private func take(_ monitors: [HyprlandMonitor]) {
    // A turn tells by itself.
    guard !rotations.isBusy else { return }
    self.monitors = monitors
    let outputs = monitors.map(\.output)
    turnAgain(turns.lost(in: outputs, panel: settings.output, now: EventLoop.now), note: note)
    if !rotations.isBusy { show(monitors) }
  }

  private func show(_ monitors: [HyprlandMonitor]) {
    self.monitors = monitors
    // Of the window nothing is told before.
    if !report.hasReportedOutputs { readFocus() }
    if report(.outputsChanged(monitors.map(\.output))) { followPanel() }
  }

  private func followPanel() {
    let panel = monitors.map(\.output).panelName(chosen: settings.output)
    touch.follow(monitors.first { $0.name == panel && $0.isActive }?.transform, in: language)
  }

  private func requestDevices(then finish: @escaping () -> Void) {
    ask("j/devices", then: finish) { backend, value in
      backend.touch.use(value)
      backend.followPanel()
    }
  }

  private func requestFocus(then finish: @escaping () -> Void) {
    ask("j/activewindow", then: {}) { backend, value in
      let window = HyprlandFocus.window(value, among: backend.monitors) {
        backend.desktopFiles.orientations(of: $0)
      }
      guard window == nil, let before = backend.report.window else {
        backend.report(.focusChanged(window))
        return finish()
      }
      backend.ask("j/activeworkspace", then: finish) { backend, workspace in
        if !HyprlandFocus.isBehind(before, workspace) { backend.report(.focusChanged(nil)) }
      }
    } failed: {
      finish()
    }
  }

  /// Asks for JSON. What cannot be read is said, once until Hyprland answers again.
  private func ask(
    _ request: String, then finish: @escaping () -> Void,
    _ take: @escaping (HyprlandBackend, JSONValue) -> Void, failed: @escaping () -> Void = {}
  ) {
    exchanges.ask(request) { [weak self] answer in
      guard let self else { return }
      switch answer.map(JSONValue.init) {
      case .success(let value?):
        isSilent = false
        take(self, value)
      case .success(nil): complain(.garbled("it is not JSON"), failed)
      case .failure(let reason): complain(reason, failed)
      }
      finish()
    }
  }

  private func complain(_ reason: CompositorFailure, _ failed: () -> Void) {
    if !isSilent {
      note("Hyprland does not tell its state (\(reason)): it is asked again at the next change")
    }
    isSilent = true
    failed()
  }

  private func end(_ reason: CompositorFailure) {
    report.end(
      reason == .ended ? "Hyprland has ended" : "Hyprland's events cannot be read any more: \(reason)")
  }
}
