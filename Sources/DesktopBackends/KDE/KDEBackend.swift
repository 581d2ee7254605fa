// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A Plasma session on Wayland: KWin rotates outputs by its own protocol (see `KWinOutputs`), and touchscreens and
/// pens with them. A script that KWin runs for autorotate reports the focus.
package final class KDEBackend: DesktopBackend {
  package let name = "KDE"

  private let loop: EventLoop
  private let connection: WaylandConnection
  private let outputs: KWinOutputs
  private let power: KWinPower?
  private let ownRotation: KWinOwnRotation
  private var focus: KWinFocus?
  private var input: KWinInput?
  private let bus: Bus?
  private let nextPass: NextLoopPass

  private let report = Reporter()
  private let queue: RotationQueue
  private let visited = ArrangementHistory()
  private var rotation: KWinRotation?
  private var focusReport: KWinFocusReport?
  /// Whether KWin's script has reported the focus, or never will.
  private var isFocusKnown = false

  /// - Parameters:
  ///   - display: overrides `WAYLAND_DISPLAY`.
  ///   - bus: the bus of KWin's scripting interface.
  /// - Throws: `Message`, also for a compositor that is not KWin.
  package init(
    loop: EventLoop, display: String? = nil, bus kind: Bus.Kind = .session,
    settings: DisplaySettings = DisplaySettings(), variable: (String) -> String? = Environment.variable,
    note: @escaping (Message) -> Void = { _ in }
  ) throws {
    self.loop = loop
    connection = try WaylandConnection(display: display)
    // Before the outputs, whose round trip then covers this, too.
    power = KWinPower(connection)
    outputs = try KWinOutputs(connection)
    nextPass = try NextLoopPass(loop)
    queue = RotationQueue(report, nextPass)
    ownRotation = KWinOwnRotation(
      outputs, settings: settings, kept: StateTable(variable: variable),
      report: { [report] in report(.desktopRotates($0)) }, note: note)
    bus = Self.connect(kind, note: note)
    if let bus, let directory = BaseDirectories(variable).runtime {
      focus = KWinFocus(
        bus, loop: loop, directory: directory, report: { [weak self] in self?.focusChanged($0) }, note: note)
    }
    input = bus.map {
      KWinInput(
        $0, loop: loop, kept: StateFile(.state, "kwin-input", variable: variable),
        kernelDirectory: KernelInput.usualDirectory, note: note)
    }
    input?.touchMap = settings.touchMap
    isFocusKnown = focus == nil
  }

  private static func connect(_ kind: Bus.Kind, note: (Message) -> Void) -> Bus? {
    do {
      return try Bus(kind)
    } catch {
      note(
        Message(
          .focusUnknown, "\(error), so the focused app is unknown",
          next: "start autorotate from within the desktop session, or set DBUS_SESSION_BUS_ADDRESS"))
      return nil
    }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try connection.start(
      on: loop, afterEvents: { [weak self] in self?.refresh() },
      gone: { [weak self] reason in
        self?.rotation?.cancel()
        self?.rotation = nil
        self?.report.end(reason)
      })
    try bus?.attach(to: loop)
    nextPass { [weak self] in self?.begin() }
  }

  private func begin() {
    refreshOutputs()
    ownRotation.start(bus)
    try? focus?.start()
    try? input?.start()
  }

  package func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    queue.add(rotations, completion) { [weak self] in try self?.rotate(rotations, completion: $0) }
  }

  private func rotate(_ rotations: [PanelRotation], completion: @escaping RotationQueue.Completion) throws {
    let rotation = KWinRotation(outputs, rotations, visited: visited) { [weak self] result in
      self?.rotation = nil
      completion(result)
    }
    // One that cannot start ends here, with its timer.
    try rotation.start(loop)
    self.rotation = rotation
    connection.flush()
  }

  package func use(_ settings: DisplaySettings) {
    ownRotation.settings = settings
    input?.touchMap = settings.touchMap
    nextPass { [weak self] in self?.ownRotation.refresh() }
  }

  package func disable(_ devices: DisabledInput?) -> Bool {
    input?.disable(devices)
    return input != nil
  }

  package func watchTitles(_ isWanted: Bool) { focus?.watchesTitles = isWanted }

  package func askWhetherOrientationIsKept(_ completion: @escaping (Bool) -> Void) {
    guard ownRotation.rotatesInTabletModeOnly else { return completion(false) }
    guard let bus else { return completion(true) }
    KWinTabletMode.ask(bus) { completion($0 != true) }
  }

  package var canTakeOver: Bool { true }

  package func stop() {
    // sd-bus ends a connection together with the loop.
    let last = bus.flatMap { try? Bus($0.kind) }
    focus?.stop(on: last)
    ownRotation.stop(on: last)
    input?.stop(on: last)
  }

  /// After each batch of events.
  private func refresh() {
    outputs.forgetRemoved()
    power?.refresh()
    rotation?.check()
    refreshOutputs()
  }

  private func refreshOutputs() {
    let states = outputs.states
    input?.outputs = states.map(\.name)
    let outputs = states.map { state in
      var output = state.output
      output.isActive = output.isActive && power?.isOff(state.name) != true
      return output
    }
    report(.outputsChanged(outputs)) ? ownRotation.refresh() : ownRotation.update()
    reportFocus()
  }

  private func focusChanged(_ focusReport: KWinFocusReport?) {
    self.focusReport = focusReport
    isFocusKnown = true
    reportFocus()
  }

  private func reportFocus() {
    guard isFocusKnown else { return }
    var window = focusReport?.window
    // Around a rotation a place may be outdated; then the window keeps its output.
    let before = report.window?.id == window?.id ? report.window?.output : nil
    window?.output = focusReport?.output(among: outputs.states.map(\.laid)) ?? before
    report(.focusChanged(window))
  }
}
