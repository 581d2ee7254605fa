// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import Language
import SensorSources
import System

/// The process that stays: feeds what happens to the `Autorotator`, and performs what it answers.
@MainActor
final class Daemon {
  private let loop: EventLoop
  let options: DaemonOptions
  let backend: any DesktopBackend
  private(set) var sensor: SensorSlot?
  private var sleep: SleepWatch?
  private var posture: PostureSource?
  private var lockKey: RotationLockKey?
  let control: Control
  let hooks: Hooks
  let comforts: Comforts
  let memory: Memory
  private let parent = getppid()
  private(set) var notifications: Notifications?
  private var shells: ShellRotation?
  private var players: PlayerWatch?
  private var configuration: ConfigurationFiles?
  private var mistakes = MistakesTold()
  var startupLine = StartupLine()
  private(set) var autorotator: Autorotator
  private var sources: [EventSource] = []
  private var stalls: StallWatch?
  private var timer: EventTimer?

  private var queue: [(Event, Instant)] = []
  private var isHandling = false
  /// Told when everything that has happened is handled: the picture is not to wait for it.
  var unpublished: Status?
  /// Why the last command was refused, if it was.
  var refusal: Message?
  /// Why the last rotation of an output by its name failed, if it did, and who waits for such a rotation.
  var outputFailure: Message?
  var outputAnswers: [String: [(Message?) -> Void]] = [:]
  private var hingeWatch = HingeWatch.off
  private var prospects = Prospects()
  private var status = ExitStatus.done

  static func run(_ options: DaemonOptions) throws -> ExitStatus {
    Resources.returnLargeBlocks()
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
    control = try options.makeControl(loop: loop)
    backend = try options.makeBackend(loop: loop)
    hooks = try Hooks(loop: loop)
    comforts = try Comforts(loop: loop, backend: backend)
    memory = Memory(isKept: !options.greeter)
    autorotator = memory.autorotator
  }

  private func start() throws {
    timer = try loop.timer { [unowned self] in post(.deadlineReached) }
    // Before the sensor's thread starts, so that it inherits the mask.
    sources = try [SIGTERM, SIGINT, SIGHUP].map { signal in
      try loop.onSignal(signal) { [unowned self] _ in
        if signal == SIGHUP { configuration?.reload() } else { loop.exit() }
      }
    }
    stalls = try StallWatch(loop: loop) { [control] in control.catchUp() }
    let notifications = try Notifications(loop: loop) { [unowned self] in post($0) }
    self.notifications = notifications
    notifications.takeOver = { Console.complain(TakeOver.write()) }
    notifications.canTakeOver = { [backend] in backend.canTakeOver }
    let players = PlayerWatch { [unowned self] in post(.playersChanged($0)) }
    self.players = players
    control.onBus = { [unowned self] bus in
      players.use(bus)
      notifications.use(bus)
      watchShells(on: bus)
    }
    control.onTaken = { [unowned self] in
      Console.complain($0)
      status = options.unlessRunning ? .done : .failed
      loop.exit()
    }
    control.windows = { [unowned self] in listWindows() }
    control.choices = { [unowned self] in choices($0) }
    control.start(
      explain: { [unowned self] in explanation(of: $0, isFullscreen: $1) },
      { [unowned self] event, answer in ask(event, answer) })
    (backend as? AwaitedBackend)?.onUnsupported = { [unowned self] error in
      let ending = options.ending(for: error)
      if let failure = ending as? Message { Console.complain(failure) }
      status = (ending as? Message)?.status ?? .done
      loop.exit()
    }
    try backend.start(
      report: { [unowned self] event in post(event) },
      gone: { [unowned self] reason in
        Console.complain(reason)
        // So that whoever started it with the session starts it with the next one. What never was there is not
        // waited for unless that was asked for.
        status = options.greeter ? .done : prospects.hadOutputs || options.wait ? .failed : .notPossible
        loop.exit()
      })
    startSensors()
    sleep = SleepWatch(loop: loop) { [unowned self] event in
      post(event)
      if case .sessionChanged(let isActive) = event {
        lockKey?.isInFront = isActive
        backend.sessionChanged(isActive: isActive)
      }
      if event == .resumed { sensor?.lookAgain() }
      if let sleep { backend.sessionChanged(isSeen: sleep.isSessionSeen) }
      if event == .sessionChanged(isActive: false), isGreeterByItself { loop.exit() }
    }
    comforts.start()
    let files = ConfigurationFiles(loop: loop, directories: options.directories) { [unowned self] in
      adopt(options.applicable($0))
    }
    configuration = files
    try files.start()
  }

  /// Whether whoever started it at a login screen is no more, and so cannot end it: then it ends when another session comes
  /// to the front, as after a login.
  private var isGreeterByItself: Bool { options.greeter && (getppid() == 1 || getppid() != parent) }

  private func watchShells(on bus: Bus?) {
    shells?.stop()
    shells = bus.flatMap { bus in
      try? ShellRotation(bus, loop: loop) { [unowned self] in post(.desktopTurns($0)) }
    }
  }

  private func startSensors() {
    sensor = SensorSlot(
      loop: loop, reportHinge: { [unowned self] in post(.hingeTold($0)) },
      report: { [unowned self] in post($0, at: $1) })
    let posture = PostureSource(loop: loop, notice: Console.complain)
    self.posture = posture
    posture.start { [unowned self] in post(.postureEvidence($0)) }
    if !options.greeter { listenToLockKey() }
  }

  private func listenToLockKey() {
    let key = RotationLockKey(loop: loop) { [unowned self] in
      // A compositor hears it, too, and may have been told what to do.
      guard Environment.variable("WAYLAND_DISPLAY") == nil else { return }
      ask(.command(.toggleLock)) { $0.map(Console.complain) }
    }
    lockKey = key
    key.start()
  }

  /// The panel stays as it stands, with touch and pen to match.
  private func stop() {
    hooks.stop()
    comforts.stop()
    notifications?.stop()
    shells?.stop()
    players?.isNeeded = false
    posture?.stop()
    lockKey?.stop()
    sensor?.stop()
    backend.stop()
    control.stop()
  }

  // MARK: Settings

  private func adopt(_ configuration: Configuration) {
    mistakes.tell(configuration.diagnostics.filter { $0.severity != .note }.map { "\($0)" })
    post(.settingsChanged(options.settings(of: configuration)))
    posture?.choice = configuration.settings.tabletSwitch
    posture?.keyboard = configuration.settings.keyboard
    comforts.use(configuration.tabletSettings)
    hooks.isEnabled = configuration.machine.runsHooks
    notifications?.showsErrors = configuration.machine.notifiesOfErrors
    if let message = configuration.message { notifications?.note(message, of: .settings) }
    let display = options.displaySettings(of: configuration)
    backend.use(display)
    sensor?.use(options.sensorChoice(of: configuration))
  }

  // MARK: Events in

  private func listWindows() -> ([Explanation], isComplete: Bool) {
    post(.windowsListed(backend.applications))
    return (autorotator.explanationsOfWindows, autorotator.knowsAllWindows)
  }

  private func ask(_ event: Event, _ answer: @escaping (Message?) -> Void) {
    if case .command(.lock(_, .focus?)) = event { post(.windowsListed(backend.applications)) }
    // A calibration that is over has written a matrix before.
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
    var explanation = autorotator.explanation(of: application, isFullscreen: isFullscreen)
    explanation.faults = configuration?.current.faults(ofRulesFor: explanation.identifiers) ?? []
    return explanation
  }

  private func choices(_ kind: Choice) -> [String] {
    switch kind {
    case .outputs: return autorotator.outputNames
    case .applications:
      post(.windowsListed(backend.applications))
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
    listen()
    timer?.arm(at: autorotator.deadline?.nanoseconds)
  }

  private func listen() {
    players?.isNeeded = autorotator.needsPlayers
    posture?.isNeeded = autorotator.needsPosture
    let watch = autorotator.hingeWatch(at: Instant(nanoseconds: EventLoop.now))
    guard watch != hingeWatch else { return }
    hingeWatch = watch
    sensor?.watchHinge(watch)
  }

  private func handle(_ event: Event, at time: Instant) {
    let actions = autorotator.handle(event, at: time)
    actions.forEach(perform)
    if case .outputsChanged = event {
      configuration?.naturalAspect = autorotator.naturalAspect
    }
    guard !actions.isEmpty, !options.waits else { return }
    if prospects.end(with: event, hasNothingToTurn: autorotator.hasNothingToTurn) { leave() }
  }

  private func leave() {
    Console.complain(localized("Nothing can be turned here now; use --wait to stay and wait."))
    status = .notPossible
    loop.exit()
  }
}
