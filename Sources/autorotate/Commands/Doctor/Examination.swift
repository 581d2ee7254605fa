// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import SensorSources
import System

/// The checks of `autorotate doctor`, and the facts that several of them need, each read once. A check is a property
/// that returns its findings; it reads itself what no other check needs.
struct Examination {
  var configuration = Configuration()
  /// The failure is why there is none.
  var accelerometer: Result<AccelerometerInspection, Message>
  /// `nil` where there is nothing to read.
  var reading: SensorReading?
  var proxy = SensorProxyState.absent(isInstalled: false)
  /// With their present readings.
  var postureDevices: [PostureInspection] = []
  /// The detected desktop.
  var choice: Result<BackendChoice, Message>
  var display: Result<DisplayInspection, Message>
  /// The status of a running daemon, or why there is none.
  var daemon = Result<StatusReport, Message>.failure(.notRunning)
  var start = SessionStart()

  /// In the order of the chain from the accelerometer to the screen.
  @MainActor
  var findings: [Finding] { sensorFindings + postures + displayFindings + programFindings }

  var status: StatusReport? { try? daemon.get() }

  @MainActor
  static func gather() throws -> Self {
    let daemon = Result { () throws(Message) in try ControlClient().status() }
    let aspect = (try? daemon.get())?.panelAspect
    let configuration = Configuration.read(from: ConfigurationDirectories(), on: aspect)
    let (settings, machine) = (configuration.settings, configuration.machine)
    let accelerometer = Result { () throws(Message) in
      try AccelerometerInspection.inspect(machine.accelerometer)
    }
    let choice = Result { () throws(Message) in try SessionDescription.current().choice() }
    let displaySettings = DaemonOptions().displaySettings(of: configuration)
    return Self(
      configuration: configuration,
      accelerometer: accelerometer.mapError { $0.code == .sensorNone ? .missing(machine.sensorSource) : $0 },
      reading: (try? accelerometer.get()) == nil ? nil : try SensorReading(machine.accelerometer),
      proxy: SensorProxyState.current(),
      postureDevices: PostureInspection.inspect(settings.tabletSwitch, keyboard: settings.keyboard),
      choice: choice,
      display: choice.flatMap { choice in
        Result { () throws(Message) in try choice.kind.inspect(displaySettings) }
      },
      daemon: daemon, start: SessionStart.gather())
  }

  // MARK: Programs and settings

  @MainActor
  var programFindings: [Finding] {
    ConflictingPrograms.findings + keyboardsOff + onScreenKeyboard() + hooks
      + rules + [settings, runningDaemon, start.finding]
  }

  private var keyboardsOff: [Finding] {
    let machine = configuration.machine
    guard machine.disablesInput else { return [] }
    let disabled = DisabledInput(names: machine.disabledDevices)
    return disabled.remappedKeyboards().map(Self.remapped) + disabled.keyboardsLeftOn().map(Self.leftOn)
  }

  static func remapped(_ keyboard: String) -> Finding {
    .broken(
      "keyboard off", .inputRemapped,
      "“\(keyboard)” of a key remapper stands in for the built-in keyboard, which therefore stays on in tablet mode",
      next:
        "set devices = [\"auto\", \(JSON.string(keyboard))] under [tablet]; external keyboards are then disabled, too"
    )
  }

  static func leftOn(_ keyboard: String) -> Finding {
    .notApplicable(
      "keyboard off",
      "“\(keyboard)” stays on in tablet mode, since libinput leaves it on: it may have buttons that a tablet needs",
      next: "to disable it anyway, set devices = [\"auto\", \(JSON.string(keyboard))] under [tablet]")
  }

  func onScreenKeyboard(_ programs: ProgramSearch = ProgramSearch()) -> [Finding] {
    configuration.machine.missingKeyboard(programs).map { [Finding("on-screen keyboard", $0)] } ?? []
  }

  private var hooks: [Finding] {
    guard configuration.machine.runsHooks else { return [] }
    return HookKind.allCases.flatMap(HookFinder().hooks).compactMap(\.problem).map { Finding("hooks", $0) }
  }

  private var rules: [Finding] {
    guard !configuration.settings.rules.contains(where: { $0.layer == .shipped }) else { return [] }
    return [
      .notApplicable(
        "app rules", "the rules shipped with autorotate are not installed, so only yours apply",
        next: "reinstall autorotate")
    ]
  }

  private var settings: Finding {
    let name: Phrase = "settings"
    let errors = configuration.errors
    let found = errors.isEmpty ? configuration.diagnostics.filter { $0.severity == .warning } : errors
    guard let first = found.first else { return .works(name, "no errors") }
    let more: Phrase = found.count > 1 ? ", and \(found.count - 1) more" : ""
    let summary: Phrase = "\(first.headline)\(more)"
    let next: Phrase = "see the fixes with: autorotate check"
    return errors.isEmpty
      ? .works(name, summary, next: next) : .broken(name, .settingsFaulty, summary, next: next)
  }

  var runningDaemon: Finding {
    let name: Phrase = "daemon"
    switch daemon {
    case .success(let report):
      let isLost = report.sensorState == "lost" && sensorFindings.isHealthy
      // The line of the sensor says more if there is none.
      let isRepeated = (try? accelerometer.get()) == nil && !isLost
      let repeated = isRepeated ? [.sensorNone, .sensorRemoved].compactMap(report.sentence(of:)) : []
      let reasons = report.sentences.filter { !repeated.contains($0) }.joined(separator: " ")
      let words: Phrase = "screen orientation: \(report.orientation). \(reasons)"
      return isLost
        ? .broken(name, .sensorUnusable, words, next: "do what the reason says, or restart autorotate")
        : .works(name, words, next: report.nextStep)
    case .failure(let failure):
      if let stepNow { return .broken(name, failure.code, failure.what, next: stepNow) }
      return .broken(name, failure, next: "run this from within the desktop session")
    }
  }

  /// How to start the daemon where it does not run and the desktop starts only what its configuration names.
  var stepNow: Phrase? { daemon == .failure(.notRunning) ? start.stepNow : nil }
}

/// Half a second of the accelerometer and its gyroscope, in the panel's frame.
struct SensorReading {
  /// m/s².
  var values: Result<[Acceleration], Message>
  /// The last one of the gyroscope.
  var rate: AngularRate?
  /// Why the gyroscope could not be read.
  var gyroscopeFault: Message?
}

extension SensorReading {
  /// The number of samples: half a second at `pace`, enough for a median.
  private static let wanted = 12
  private static let pace = 25.0
  /// A sensor hub may take a second to wake up.
  private static let timeoutSeconds = 4

  /// Reads the sensor. Waits for it.
  @MainActor
  init(_ settings: AccelerometerSettings) throws {
    let absence = Message(
      .sensorNotAnswering, "no value within \(Self.timeoutSeconds) s",
      next: "suspend and resume, or reload the sensor's driver; see `sudo dmesg`")
    var (reading, isDone) = (Self(values: .failure(absence)), false)
    var settings = settings
    settings.rate = Self.pace
    let loop = try EventLoop()
    let sensor = IIOAccelerometer(loop: loop, settings, usesBuffer: false) {
      if $0.code == .sensorGyroscope { reading.gyroscopeFault = reading.gyroscopeFault ?? $0 }
    }
    try sensor.start { event, _ in if !isDone { isDone = reading.add(event) } }
    sensor.demand(.following)
    let end = EventLoop.now + Int64(Self.timeoutSeconds) * 1_000_000_000
    let timer = try loop.timer(at: end) { isDone = true }
    while !isDone { try loop.runOnce(timeoutNanoseconds: 1_000_000_000) }
    timer.cancel()
    sensor.stop()
    self = reading
  }

  /// - Returns: whether nothing more is needed.
  private mutating func add(_ event: Event) -> Bool {
    switch event {
    case .motion(let sample):
      let all = ((try? values.get()) ?? []) + [sample.acceleration]
      (values, rate) = (.success(all), sample.rate ?? rate)
      return all.count == Self.wanted
    case .sensorLost(let message):
      values = .failure(message)
      return true
    default: return false
    }
  }
}
