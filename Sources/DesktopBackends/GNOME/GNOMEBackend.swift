// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// A Wayland session of GNOME, Shell 43 to 51, or of Cinnamon: Mutter or Muffin rotates the outputs on request over
/// D-Bus, and touchscreens and pens with them. An extension of GNOME Shell, where installed, reports the focus and
/// touches.
package final class GNOMEBackend: DesktopBackend {
  package var name: String { desktop.name }

  private let desktop: MutterDesktop
  private let loop: EventLoop
  private let note: (Message) -> Void
  private let client: DisplayConfigClient
  private var subscriptions: [Subscription] = []
  private var isOwnerKnown = false
  private var focus: ShellFocus?
  private let ownRotation: OwnRotation
  private let touchpad: TouchpadSwitch
  private var touch: MutterTouch?
  private let inputDirectory: String
  private let nextPass: NextLoopPass
  private var retry: EventTimer?

  private let report: Reporter
  private var mounts: KernelPanelMounts
  private let queue: RotationQueue
  private let visited = ArrangementHistory()
  private var rotation: MonitorRotation?
  /// The last known state; `nil` when it may be outdated.
  private var state: MonitorState?
  private var pendingReads = 0
  private var backoff = Backoff()
  /// The failure that was noted last, until Mutter answers again.
  private var complaint: Message? {
    didSet { if let complaint, complaint != oldValue { note(complaint) } }
  }

  /// - Parameters:
  ///   - settingsProgram: the program that reads and writes the desktop's settings.
  ///   - stateDirectory: for state that outlives this process; `nil` for the default.
  ///   - inputDirectory: where the kernel lists input devices; `nil` for the default.
  /// - Throws: `Message` if there is no session bus.
  package init(
    _ desktop: MutterDesktop = .gnome, loop: EventLoop, bus kind: Bus.Kind = .session,
    settings: DisplaySettings = DisplaySettings(),
    settingsProgram: String = "gsettings", stateDirectory: String? = nil,
    inputDirectory: String? = nil, mounts: KernelPanelMounts = KernelPanelMounts(),
    note: @escaping (Message) -> Void = { _ in }
  ) throws {
    self.desktop = desktop
    self.loop = loop
    self.note = note
    self.inputDirectory = inputDirectory ?? KernelInput.usualDirectory
    self.mounts = mounts
    report = Reporter(mounts: mounts)
    nextPass = try NextLoopPass(loop)
    queue = RotationQueue(report, nextPass)
    do throws(BusError) {
      client = try DisplayConfigClient(desktop, on: kind, loop: loop)
    } catch {
      throw desktop.noSessionBus(error)
    }
    let stateFile = { (name: String) in
      stateDirectory.map { StateFile(path: "\($0)/\(name)") } ?? StateFile(.state, name)
    }
    let lock = HeldSetting(
      [desktop.lockSchema, "orientation-lock"], held: "true", others: ["false"], loop: loop,
      program: settingsProgram, stateFile: stateFile("\(desktop.kind.rawValue)-orientation-lock"))
    touchpad = TouchpadSwitch(
      desktop, loop: loop, program: settingsProgram, kept: stateFile("\(desktop.kind.rawValue)-touchpad"),
      kernelDirectory: self.inputDirectory, note: note)
    touch = MutterTouch(
      desktop, loop: loop, program: settingsProgram, touchscreens: MappedTouchscreens(), note: note)
    ownRotation = OwnRotation(desktop, lock, takesOver: settings.takesOver, note: note) { [report] in
      report(.desktopRotates($0))
    }
    touch?.assignments = settings.touchMap
    retry = try loop.timer { [weak self] in self?.readState() }
  }

  package func start(report: @escaping (Event) -> Void, gone: @escaping (Message) -> Void) throws {
    self.report.start(report, gone: gone)
    try followMutter()
    touchpad.restore()
    focus = try ShellFocus(client.bus, loop: loop) { [report = self.report] in report($0) }
    subscriptions += [
      try SettingsWatch.start(client.bus, schema: desktop.lockSchema) { [weak self] in
        self?.ownRotation.settingsChanged()
      },
      try ShellVersion.watch(on: client.bus) { [weak self, inputDirectory] version in
        self?.ownRotation.isStalled = StalledRotation.occurs(
          in: version, KernelInput.all(in: inputDirectory))
      },
    ]
  }

  package func apply(_ rotations: [PanelRotation], completion: @escaping (Result<Void, Message>) -> Void) {
    queue.add(rotations, completion) { [weak self] in try self?.rotate(rotations, completion: $0) }
  }

  private func rotate(_ rotations: [PanelRotation], completion: @escaping RotationQueue.Completion) throws {
    let mutterRotations = rotations.map {
      PanelRotation($0.output, to: $0.transform.ofMutter(mounted: mounts.mount(of: $0.output)))
    }
    let rotation = try MonitorRotation(client, loop: loop, mutterRotations, visited: visited) {
      [weak self] result in
      // The state from before a rotation is outdated after it, even before Mutter's signal.
      if let self { state = pendingReads == 0 ? self.rotation?.seen : nil }
      self?.rotation = nil
      completion(result)
    }
    self.rotation = rotation
    nextPass { [weak self, weak rotation] in rotation?.start(from: self?.state) }
  }

  package func use(_ settings: DisplaySettings) {
    ownRotation.takesOver = settings.takesOver
    focus?.panel = settings.output.names.first
    touch?.assignments = settings.touchMap
  }

  package func disable(_ devices: DisabledInput?) -> Bool { touchpad.disable(devices) }

  package func askWhetherOrientationIsKept(_ completion: @escaping (Bool) -> Void) {
    ownRotation.askForLock(completion)
  }

  package var canTakeOver: Bool { true }

  package func stop() {
    touchpad.stop()
    ownRotation.stop()
  }

  // MARK: Mutter's events

  private func ownerChanged(_ owner: String?) {
    guard !isOwnerKnown else {
      // Another owner has another state.
      subscriptions = []
      return report.end(Message(.displayEnded, "\(desktop.name) has ended"))
    }
    isOwnerKnown = true
    owner == nil ? report.end(desktop.isNotRunning) : readAll()
  }

  private func followMutter() throws(BusError) {
    let (bus, target) = (client.bus, desktop.displayConfig)
    subscriptions = [
      try bus.match(SignalRule(target, "MonitorsChanged")) { [weak self] _ in self?.monitorsChanged() },
      try bus.matchChanges(of: target) { [weak self] changed, _ in self?.applyProperties(changed) },
      try bus.watchName(target.service) { [weak self] in self?.ownerChanged($0) },
    ]
    bus.onClosed = { [weak self] in
      self?.report.end(Message(.busUnreachable, "the session bus has ended"))
    }
  }

  private func monitorsChanged() {
    readState()
    rotation?.monitorsChanged()
  }

  /// Properties first: what is off is known before it could be rotated.
  private func readAll() {
    client.readProperties { [weak self] in
      // If this fails, `readState` fails too and reports it.
      self?.applyProperties($0)
      if self?.ownRotation.isManaged == nil { self?.ownRotation.isManaged = false }
    }
    readState()
  }

  private func applyProperties(_ properties: [String: Value]) {
    if let isManaged: Bool = try? properties["PanelOrientationManaged"]?.read() {
      ownRotation.isManaged = isManaged
    }
    if let mode: Int32 = try? properties["PowerSaveMode"]?.read() {
      // 1 to 3 are off (standby, suspend, off); -1 means that Mutter cannot switch it.
      report(.displayPowerChanged(isOn: mode <= 0))
    }
  }

  private func readState() {
    state = nil
    pendingReads += 1
    client.readState { [weak self] in self?.receive($0) }
  }

  private func receive(_ answer: Result<MonitorState, Message>) {
    pendingReads -= 1
    switch answer {
    case .success(let state):
      complaint = nil
      backoff.reset()
      retry?.arm(at: nil)
      // Only the last of several answers is current.
      if pendingReads == 0 { self.state = state }
      touch?.monitors = state.monitors
      focus?.monitors = state.logicalMonitors.map(\.connectors)
      report(.outputsChanged(state.outputs { mounts.mount(of: $0) }))
    case .failure(let failure):
      complaint = failure
      if !report.hasReportedOutputs { report(.outputsChanged([])) }
      retry?.arm(at: backoff.next(after: EventLoop.now))
    }
  }
}
