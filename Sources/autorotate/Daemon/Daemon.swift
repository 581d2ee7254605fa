// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import SensorSources
import System

/// The daemon process: sends events to the `Autorotator`, and performs its actions.
@MainActor
final class Daemon {
  let loop: EventLoop
  let options: DaemonOptions
  /// `nil` until there is a display.
  var backend: (any DesktopBackend)?
  var displayWatch: DisplayWatch?
  private(set) var displaySettings: DisplaySettings { didSet { backend?.use(displaySettings) } }
  private(set) var sensor: SensorSlot?
  private(set) var sleep: SleepWatch?
  private var posture: PostureSource?
  private var lockKey: RotationLockKey?
  let control: Control
  let hooks: Hooks
  let tabletFeatures: TabletFeatures
  /// `nil` at a login screen, which keeps no state.
  let savedState: SavedState?
  private let parent = getppid()
  private(set) var notifications: Notifications?
  private var shells: ShellRotation?
  private var players: PlayerWatch?
  private var configuration: ConfigurationFiles?
  private var reportedDiagnostics = ReportedDiagnostics()
  var startupLine = StartupLine()
  private(set) var autorotator: Autorotator
  private var sources: [EventSource] = []
  private var stalls: StallWatch?
  private var timer: EventTimer?
  private(set) var memoryRelease: EventTimer?

  private var queue: [(Event, Instant)] = []
  private var isHandling = false
  /// Published after all events are handled, so that the rotation does not wait for it.
  var unpublished: Status?
  /// Why the last command was refused, if it was.
  var refusal: Message?
  /// Why the last rotation of a named output failed, if it did, and the callers that wait for such rotations.
  var outputFailure: Message?
  var outputAnswers: [String: [(Message?) -> Void]] = [:]
  private(set) var exitPolicy = ExitPolicy()
  private var status = ExitStatus.done

  static func run(_ options: DaemonOptions) throws -> ExitStatus {
    Resources.saveMemory()
    Console.dropsUnread = true
    let daemon = try Daemon(options)
    try daemon.start()
    _ = try daemon.loop.run()
    daemon.stop()
    return daemon.status
  }

  private init(_ options: DaemonOptions) throws {
    let loop = try EventLoop()
    self.loop = loop
    self.options = options
    displaySettings = options.displaySettings(of: Configuration())
    do {
      control = try Control(loop: loop)
    } catch let taken as Message {
      throw options.ending(for: taken)
    }
    hooks = try Hooks(loop: loop)
    tabletFeatures = try TabletFeatures(loop: loop)
    savedState = options.greeter ? nil : SavedState()
    autorotator = savedState?.autorotator ?? Autorotator()
  }

  private func start() throws {
    try connect()
    timer = try loop.timer { [unowned self] in post(.deadlineReached) }
    memoryRelease = try loop.timer(Resources.releaseMemory)
    memoryRelease?.waitForIdle()
    // Before the sensor's thread starts, so that it inherits the mask.
    sources = try [SIGTERM, SIGINT, SIGHUP].map { signal in
      try loop.onSignal(signal) { [unowned self] _ in
        if signal == SIGHUP { configuration?.reload() } else { loop.exit() }
      }
    }
    stalls = try StallWatch(loop: loop) { [control] in control.recheckQueuedCalls() }
    let notifications = try Notifications(loop: loop) { [unowned self] in post($0) }
    self.notifications = notifications
    notifications.takeOver = {
      do throws(Message) { Console.log(try TakeOver.write()) } catch { Console.log(error) }
    }
    notifications.canTakeOver = { [unowned self] in backend?.canTakeOver ?? false }
    players = PlayerWatch { [unowned self] in post(.playersChanged($0)) }
    startControl()
    if let backend { try start(backend) }
    startSensors()
    sleep = SleepWatch(loop: loop) { [unowned self] event in
      post(event)
      if case .sessionChanged(let isActive) = event {
        lockKey?.isInFront = isActive
        if isActive { posture?.recheck() }
        backend?.sessionChanged(isActive: isActive)
      }
      if event == .resumed { sensor?.recheck() }
      if let sleep { backend?.visibilityChanged(isVisible: sleep.isSessionVisible) }
      if event == .sessionChanged(isActive: false), isOrphanedGreeter { loop.exit() }
    }
    OnScreenKeyboard.endLeftover()
    let files = ConfigurationFiles(loop: loop, directories: options.directories) { [unowned self] in
      adopt(options.greeter ? $0.atLogin : $0)
    }
    configuration = files
    try files.start()
    if backend == nil { post(.outputsChanged([])) }
  }

  /// Whether the login screen that started it has ended and so cannot stop it. Then it exits when another session
  /// becomes active, as after a login.
  private var isOrphanedGreeter: Bool { options.greeter && (getppid() == 1 || getppid() != parent) }

  private func startControl() {
    control.onBus = { [unowned self] bus in
      players?.use(bus)
      notifications?.service.use(bus)
      shells?.stop()
      shells = bus.flatMap { bus in
        try? ShellRotation(bus, loop: loop) { [unowned self] in post(.desktopRotates($0)) }
      }
    }
    control.onTaken = { [unowned self] in
      exit(options.unlessRunning ? .done : .failed, because: $0)
    }
    control.onService = { [unowned self] service in
      service.explain = { [unowned self] in explanation(of: $0, isFullscreen: $1) }
      service.windows = { [unowned self] in listWindows() }
      service.choices = { [unowned self] in choices($0) }
    }
    control.start { [unowned self] event, answer in ask(event, answer) }
  }

  private func startSensors() {
    sensor = SensorSlot(loop: loop, report: { [unowned self] in post($0, at: $1) })
    let posture = PostureSource(loop: loop, notice: Console.log)
    self.posture = posture
    posture.start { [unowned self] in post(.postureEvidence($0)) }
    if !options.greeter { watchLockKey() }
  }

  private func watchLockKey() {
    let key = RotationLockKey(loop: loop) { [unowned self] in
      // A compositor receives the key, too, and may have a binding for it.
      guard Environment.variable("WAYLAND_DISPLAY") == nil else { return }
      ask(.command(.toggleLock)) { $0.map(Console.log) }
    }
    lockKey = key
    key.start()
  }

  /// The panel keeps its orientation, and touchscreen and pen match it.
  private func stop() {
    hooks.stop()
    tabletFeatures.stop()
    notifications?.stop()
    shells = nil
    players?.isNeeded = false
    posture?.stop()
    lockKey = nil
    sensor?.stop()
    backend?.stop()
    control.stop()
  }

  // MARK: Settings

  private func adopt(_ configuration: Configuration) {
    reportedDiagnostics.log(configuration.diagnostics.filter { $0.severity != .note }.map { "\($0)" })
    post(.settingsChanged(options.settings(of: configuration)))
    posture?.choice = configuration.settings.tabletSwitch
    posture?.keyboard = configuration.settings.keyboard
    tabletFeatures.settings = configuration.machine
    hooks.isEnabled = configuration.machine.runsHooks
    notifications?.board.showsFaults = configuration.machine.notifiesOfErrors
    if let message = configuration.message { notifications?.note(message, of: .settings) }
    displaySettings = options.displaySettings(of: configuration)
    sensor?.use(options.sensorChoice(of: configuration))
  }

  // MARK: Events in

  private func listWindows() -> ([Explanation], isComplete: Bool) {
    post(.windowsListed(backend?.applications))
    return (autorotator.explanationsOfWindows, autorotator.knowsAllWindows)
  }

  private func ask(_ event: Event, _ answer: @escaping (Message?) -> Void) {
    if case .command(.lock(_, .focus?)) = event { post(.windowsListed(backend?.applications)) }
    // A calibration that has ended may have written a matrix.
    if case .requestsRemoved = event { configuration?.reloadIfChanged() }
    refusal = nil
    outputFailure = nil
    post(event)
    if refusal == nil, case .command(.rotate(_, let output?)) = event, autorotator.isRotating(output) {
      outputAnswers[output, default: []].append(answer)
    } else {
      answer(refusal ?? outputFailure)
    }
    if event == .command(.quit) { loop.exit() }
  }

  private func explanation(of application: String?, isFullscreen: Bool) -> Explanation {
    // A rule that was just added counts, as the command that added it says.
    configuration?.reloadIfChanged()
    var explanation = autorotator.explanation(of: application, isFullscreen: isFullscreen)
    if let configuration { explanation.addFindings(of: configuration.current) }
    return explanation
  }

  private func choices(_ kind: Choice) -> [String] {
    switch kind {
    case .outputs: return autorotator.outputNames
    case .title: return autorotator.title.map { [$0] } ?? []
    case .applications:
      post(.windowsListed(backend?.applications))
      return autorotator.applicationNames
    }
  }

  func post(_ event: Event, at time: Instant = Instant(nanoseconds: EventLoop.now)) {
    queue.append((event, time))
    guard !isHandling else { return }
    isHandling = true
    repeat {
      while !queue.isEmpty {
        let (event, time) = queue.removeFirst()
        handle(event, at: time)
      }
      publish()
    } while !queue.isEmpty
    isHandling = false
    updateSubscriptions()
    timer?.arm(at: autorotator.deadline?.nanoseconds)
  }

  private func updateSubscriptions() {
    players?.isNeeded = autorotator.needsPlayers
    backend?.watchTitles(autorotator.needsTitles)
    posture?.isNeeded = autorotator.needsPosture
    sensor?.hinge = autorotator.hingeWatch(at: Instant(nanoseconds: EventLoop.now))
  }

  private func handle(_ event: Event, at time: Instant) {
    let actions = autorotator.handle(event, at: time)
    actions.forEach(perform)
    if case .outputsChanged = event {
      configuration?.naturalAspect = autorotator.naturalAspect
    }
    guard !actions.isEmpty, !options.waits else { return }
    if exitPolicy.shouldExit(after: event, hasNothingToRotate: autorotator.hasNothingToRotate) {
      Console.log(localized("Nothing can be rotated here now. Use --wait to keep waiting."))
      exit(.notPossible)
    }
  }

  func exit(_ status: ExitStatus, because reason: Message? = nil) {
    if let reason { Console.log(reason) }
    self.status = status
    loop.exit()
  }
}
