// SPDX-License-Identifier: MIT

import System
import Testing

@testable import Autorotation
@testable import Configuration
@testable import DesktopBackends
@testable import SensorSources
@testable import autorotate

extension Examination {
  /// Of a machine with an accelerometer and nothing else.
  init(
    display: Result<DisplayInspection, Message> = .failure("not inspected"),
    _ change: (inout Self) -> Void = { _ in }
  ) {
    self.init(
      accelerometer: .success(DoctorTests.sensor),
      reading: SensorReading(values: .success(DoctorTests.steady)),
      choice: .success(BackendChoice(kind: .x11, reason: "The session is X11.")), display: display)
    change(&self)
  }

  /// The findings of the sensors, for which no other process is asked.
  var ofSensors: [Finding] { sensorFindings + postures }
}

/// The findings of `autorotate doctor`.
struct DoctorTests {
  static let sensor = AccelerometerInspection(
    title: "accel_3d (iio:device0)", mount: .choose(override: nil, from: []))
  static let steady = Array(repeating: Acceleration(x: 0, y: -9.8, z: 0.1), count: 3)

  private func running(_ change: (inout StatusReport) -> Void) -> Result<StatusReport, Message> {
    var report = StatusReport()
    change(&report)
    return .success(report)
  }

  private func state(_ name: String, of findings: [Finding]) -> Finding.State? {
    findings.first { $0.name == name }?.state
  }

  @Test func `a healthy sensor has no problems`() {
    let findings = Examination().ofSensors
    #expect(findings.isHealthy)
    #expect(findings.map(\.name).first == "sensor")
  }

  /// keyd#475: the built-in keyboard was disabled, but still typed.
  @Test func `the keyboard of a remapper is reported`() {
    let finding = Examination.remapped("keyd virtual keyboard")
    #expect((finding.name, finding.state) == ("keyboard off", .broken))
    #expect(finding.nextStep?.contains("devices = [\"auto\", \"keyd virtual keyboard\"]") == true)
  }

  @Test func `a keyboard that libinput leaves on is reported`() {
    let finding = Examination.leftOn("AT Translated Set 2 keyboard")
    #expect((finding.name, finding.state) == ("keyboard off", .notApplicable))
    #expect(finding.nextStep?.contains("devices = [\"auto\", \"AT Translated Set 2 keyboard\"]") == true)
  }

  @Test func `scripts and plugins that rotate are named`() {
    let processes = [
      RunningProcess(id: 7, name: "tablet-auto-rot"), RunningProcess(id: 8, name: "wayfire"),
      RunningProcess(id: 9, name: "sh"),
    ]
    let found = { (wayfire: String) in
      ConflictingPrograms.findings(among: processes, wayfire: wayfire).map(\.detail)
    }
    let script = "tablet-auto-rot (process 7) also rotates the screen"
    #expect(
      found("[core]\nplugins = alpha \\\n  autorotate-iio\n") == [
        script, "autorotate-iio also rotates the screen",
      ])
    #expect(found("# plugins = autorotate-iio\nplugins = alpha\n") == [script])
    #expect(found("[core]\r\nplugins = alpha \\\r\n  autorotate-iio\r\n").count == 2)
  }

  @Test func `an unreliable tablet switch counts as none`() throws {
    let input = PostureInput(
      kind: .tabletSwitch, name: "Intel Virtual Button driver", node: "/dev/input/event6")
    let unreliable = PostureInspection(input: input, isReadable: true, isUnreliable: true)
    let findings = Examination {
      $0.postureDevices = [unreliable]
      $0.configuration.settings.rotateIn = .tablet
    }.postures
    #expect(findings.map(\.state) == [.broken, .notApplicable])
    #expect(findings.last?.nextStep?.contains("switch = \"Intel Virtual Button driver\"") == true)
  }

  @Test func `two accelerometers without a location are both named`() {
    let examination = Examination {
      var sensor = Self.sensor
      sensor.alternatives = ["mxc4005 (iio:device1)"]
      $0.accelerometer = .success(sensor)
    }
    let finding = examination.ofSensors.first { $0.name == "sensor" }
    #expect(finding?.state == .works)
    #expect(finding?.detail.contains("the first of 2") == true && finding?.detail.contains("mxc4005") == true)
    #expect(finding?.nextStep?.contains("name the other with device under [sensor]") == true)
  }

  @Test func `an input accelerometer is not a missing driver`() {
    let examination = Examination {
      $0.accelerometer = .failure(.missing(.auto, inputDevices: ["ST LIS3LV02DL Accelerometer"]))
      $0.reading = nil
    }
    let finding = examination.ofSensors.first { $0.name == "sensor" }
    #expect(finding?.state == .broken && finding?.detail.contains("input subsystem") == true)
    #expect(finding?.nextStep == "install iio-sensor-proxy, which reads it")
  }

  @Test func `a missing on screen keyboard is reported`() throws {
    var machine = MachineSettings()
    let programs = ProgramSearch { ["PATH": "/nonexistent:/bin"][$0] }
    #expect(machine.missingKeyboard(programs) == nil)
    machine.onScreenKeyboard = ["sh", "-c", "true"]
    #expect(machine.missingKeyboard(programs) == nil)
    machine.onScreenKeyboard = ["/nonexistent/keyboard", "-L", "300"]
    let finding = try #require(
      Examination { $0.configuration.machine = machine }.onScreenKeyboard(programs).first)
    #expect(finding.name == "on-screen keyboard")
    #expect(finding.state == .broken)
    #expect(finding.detail.contains("/nonexistent/keyboard"))
  }

  /// All lines once were healthy while nothing rotated.
  @Test func `a proxy without an accelerometer is not enough if required`() {
    var examination = Examination {
      $0.configuration.machine.sensorSource = .proxy
      $0.proxy = .running(process: 7, hasAccelerometer: true)
    }
    #expect(examination.ofSensors.isHealthy)
    examination.proxy = .running(process: 7, hasAccelerometer: false)
    #expect(state("iio-sensor-proxy", of: examination.ofSensors) == .broken)
    examination.proxy = .unknown("no system bus")
    #expect(state("iio-sensor-proxy", of: examination.ofSensors) == .broken)
  }

  @Test func `a daemon that lost a healthy sensor is broken`() {
    var examination = Examination {
      $0.daemon = running {
        ($0.sensorState, $0.reasonCodes) = ("lost", [Message.Code.sensorNone.rawValue])
        $0.reasons = ["iio-sensor-proxy has no accelerometer"]
      }
    }
    #expect(examination.runningDaemon.state == .broken)
    #expect(examination.runningDaemon.detail.hasSuffix("iio-sensor-proxy has no accelerometer"))
    (examination.accelerometer, examination.reading) = (.failure("no accelerometer"), nil)
    #expect(examination.runningDaemon.state == .works, "the line of the sensor is broken")
    #expect(!examination.runningDaemon.detail.contains("iio-sensor-proxy"))
  }

  /// Doctor advised to search a wiki for a driver that had worked until the sensor was unplugged.
  @Test func `a sensor that was unplugged is named`() throws {
    let examination = Examination {
      ($0.accelerometer, $0.reading) = (.failure(.missing(.auto, inputDevices: [])), nil)
      $0.daemon = running {
        ($0.sensorState, $0.reasonCodes) = ("lost", [Message.Code.sensorRemoved.rawValue])
        $0.reasons = ["No sensor: accel_3d cannot be read: it is used again as soon as it is back"]
      }
    }
    let finding = try #require(examination.ofSensors.first)
    #expect((finding.name, finding.state, finding.message.code) == ("sensor", .broken, .sensorRemoved))
    #expect(finding.detail.contains("accel_3d") && finding.nextStep?.contains("plug it in again") == true)
    #expect(!examination.runningDaemon.detail.contains("accel_3d"), "the line of the sensor says so")
  }

  /// A driver refuses raw reads while iio-sensor-proxy streams.
  @Test func `a busy sensor is read through the proxy`() {
    let busy = Examination {
      var sensor = Self.sensor
      sensor.isStreaming = true
      $0.accelerometer = .success(sensor)
      $0.reading?.values = Self.refusal
      $0.proxy = .running(process: 7, hasAccelerometer: true)
    }
    #expect(busy.ofSensors.isHealthy)
    var rawOnly = busy
    rawOnly.configuration.machine.sensorSource = .iio
    #expect(state("readable", of: rawOnly.ofSensors) == .broken)
    #expect(state("iio-sensor-proxy", of: rawOnly.ofSensors) == .broken)
    var withoutSensor = busy
    withoutSensor.proxy = .running(process: 7, hasAccelerometer: false)
    #expect(state("readable", of: withoutSensor.ofSensors) == .broken)
  }

  private static let refusal = Result<[Acceleration], Message>.failure(
    "the accelerometer cannot be read: Device or resource busy; end that program")

  @Test func `a sensor that the daemon uses is healthy`() {
    let streaming = Examination {
      var sensor = Self.sensor
      sensor.isStreaming = true
      $0.accelerometer = .success(sensor)
      $0.reading?.values = Self.refusal
    }
    #expect(state("readable", of: streaming.ofSensors) == .broken)
    var inUse = streaming
    inUse.daemon = running { $0.sensorState = "active" }
    #expect(inUse.ofSensors.isHealthy)
  }

  @Test func `a second accelerometer measures the hinge`() {
    var sensor = Self.sensor
    sensor.base = "accel_3d (iio:device1)"
    let findings = Examination {
      $0.accelerometer = .success(sensor)
      $0.configuration.settings.rotateIn = .tablet
    }.ofSensors
    #expect(state("hinge", of: findings) == .works)
    #expect(state("posture switch", of: findings) == nil)
  }

  @Test func `the kernel's hinge sensor is reported`() {
    func findings(_ hinge: Result<String?, Message>) -> [Finding] {
      Examination {
        var sensor = Self.sensor
        sensor.hinge = hinge
        $0.accelerometer = .success(sensor)
        $0.configuration.settings.rotateIn = .tablet
      }.ofSensors
    }
    let works = findings(.success("hinge (iio:device3)"))
    #expect(works.first { $0.name == "hinge" }?.detail.contains("with hinge (iio:device3)") == true)
    #expect(state("posture switch", of: works) == nil)
    let fails = findings(.failure(Message(.postureUnknown, "no label", next: "wait")))
    #expect(state("hinge", of: fails) == .broken)
    #expect(state("posture switch", of: fails) == .broken)
  }

  /// The display was to be calibrated, which changes nothing.
  @Test func `a problem of the base's matrix is the hinge's`() {
    var sensor = Self.sensor
    sensor.baseProblem = Message(.postureUnknown, "contradictory", next: "correct ACCEL_MOUNT_MATRIX")
    var examination = Examination { $0.accelerometer = .success(sensor) }
    #expect(state("mount matrix", of: examination.ofSensors) == .works)
    let hinge = examination.ofSensors.first { $0.name == "hinge" }
    #expect(hinge?.state == .notApplicable && hinge?.nextStep == "correct ACCEL_MOUNT_MATRIX")
    examination.configuration.settings.rotateIn = .tablet
    #expect(state("hinge", of: examination.ofSensors) == .broken)
    sensor.hinge = .success("hinge (iio:device3)")
    examination.accelerometer = .success(sensor)
    #expect(state("hinge", of: examination.ofSensors) == .works)
  }

  /// "None needed" was wrong for machines that the hardware database lacks.
  @Test(arguments: [nil, .identity] as [MountMatrix?])
  func `a matrix that is not given may be needed`(_ matrix: MountMatrix?) {
    var sensor = Self.sensor
    sensor.mount = .choose(override: matrix, from: [])
    let finding = Examination { $0.accelerometer = .success(sensor) }.ofSensors.first {
      $0.name == "mount matrix"
    }
    #expect(finding?.state == .works && finding?.detail.hasPrefix("none needed") == (matrix != nil))
    #expect((finding?.nextStep == nil) == (matrix != nil))
  }

  @Test func `a missing named accelerometer is reported`() {
    var sensor = Self.sensor
    sensor.missingDevice = Message(.sensorDeviceMissing, "missing", next: "check")
    let examination = Examination { $0.accelerometer = .success(sensor) }
    #expect(state("sensor", of: examination.ofSensors) == .broken)
  }

  @Test func `a gyroscope is reported`() {
    func findings(_ change: (inout Examination) -> Void) -> [Finding] {
      var sensor = Self.sensor
      sensor.gyroscope = "gyro_3d (iio:device1)"
      return Examination {
        $0.accelerometer = .success(sensor)
        change(&$0)
      }.ofSensors
    }
    #expect(state("gyroscope", of: Examination().ofSensors) == .notApplicable)
    let disabled = findings { $0.configuration.machine.accelerometer.usesGyroscope = false }
    #expect(state("gyroscope", of: disabled) == .notApplicable)
    let read = findings { $0.reading?.rate = AngularRate(x: 0.01, y: -0.5, z: 2) }
    let detail = read.first { $0.name == "gyroscope" }?.detail
    #expect(
      detail == "gyro_3d (iio:device1), read while the device may be rotating; now 0.01, -0.50, 2.00 rad/s")
    let fault = Message(.sensorGyroscope, "it cannot be read", next: "see dmesg")
    #expect(state("gyroscope", of: findings { $0.reading?.gyroscopeFault = fault }) == .broken)
    let inUse = findings {
      $0.reading?.gyroscopeFault = fault
      $0.daemon = running { $0.sensorState = "asleep" }
    }
    #expect(state("gyroscope", of: inUse) == .works)
  }

  @Test func `the proxy replaces a missing sensor`() {
    let examination = Examination {
      ($0.accelerometer, $0.reading) = (.failure("no accelerometer"), nil)
      $0.proxy = .running(process: nil, hasAccelerometer: true)
    }
    #expect(examination.ofSensors.isHealthy)
  }

  @Test(arguments: [(9.81, true), (8.4, true), (11.2, true), (0.0, false), (4.9, false), (98, false)])
  func `a magnitude near gravity is plausible`(_ magnitude: Double, _ isPlausible: Bool) {
    let examination = Examination { $0.reading?.values = .success([Acceleration(x: 0, y: 0, z: magnitude)]) }
    #expect(state("plausible", of: examination.ofSensors) == (isPlausible ? .works : .broken))
  }

  /// The scale was blamed.
  @Test(arguments: [(0.02, true), (4.9, false)])
  func `a sensor that reports only zeros is no scale fault`(_ magnitude: Double, _ isZeros: Bool) {
    let examination = Examination { $0.reading?.values = .success([Acceleration(x: 0, y: 0, z: magnitude)]) }
    let step = examination.ofSensors.first { $0.name == "plausible" }?.nextStep
    #expect(step?.contains("only zeros") == isZeros)
    let failure = Calibration.Failure.notGravity(.upright, magnitude: magnitude)
    #expect("\(failure)".contains("only zeros") == isZeros)
  }

  @Test func `a missing posture switch is broken if required`() {
    #expect(state("posture switch", of: Examination().postures) == .notApplicable)
    var required = Examination { $0.configuration.settings.rotateIn = .tablet }
    #expect(state("posture switch", of: required.postures) == .broken)
    required.postureDevices = [PostureInspection(input: Self.hinge, isReadable: false)]
    #expect(state("posture switch", of: required.postures) == .broken)
  }

  private static let hinge = PostureInput(
    kind: .tabletSwitch, name: "Hinge", driver: "intel-hid", node: "/dev/input/event5")

  private func reading(_ says: Posture, counts: Bool, changed: Instant? = nil) -> PostureReport {
    let statement = PostureReading(input: Self.hinge, posture: says, changedAt: changed, isUsed: counts)
    return PostureReport(statement) { UInt64($0.nanoseconds / 1_000_000_000) }
  }

  /// - Parameter reports: of the running daemon.
  private func posture(_ reports: PostureReport..., choice: TabletSwitchChoice = .automatic) throws -> Finding
  {
    let examination = Examination {
      $0.postureDevices = [PostureInspection(input: Self.hinge, isReadable: true, says: .laptop)]
      $0.daemon = running { $0.postureEvidence = reports }
      $0.configuration.settings.tabletSwitch = choice
    }
    return try #require(examination.ofSensors.first { $0.name == "posture switch" })
  }

  @Test func `a posture sensor is shown with its reading`() throws {
    let still = try posture()
    #expect(still.state == .works)
    #expect(still.detail == "Hinge (/dev/input/event5, intel-hid) reports laptop")
    let unmoved = try posture(reading(.laptop, counts: true))
    #expect(unmoved.detail.hasSuffix("reports laptop, unchanged since autorotate started"))
    let moved = try posture(reading(.tablet, counts: true, changed: Instant(seconds: 1e8)))
    #expect(moved.detail.contains("reports tablet since "))
  }

  @Test func `a contradicted switch is reported`() throws {
    let hinge = PostureReport(PostureReading(posture: .tablet, isUsed: true)) { _ in 0 }
    let wrong = try posture(reading(.laptop, counts: false), hinge)
    #expect(wrong.state == .broken)
    #expect(wrong.message.code == .postureContradicted)
    let tent = PostureReport(PostureReading(posture: .tent, isUsed: true)) { _ in 0 }
    #expect(try posture(reading(.tablet, counts: false), tent).state == .works)
    #expect(try posture(reading(.laptop, counts: false), tent).state == .broken)
    let spare = try posture(reading(.tablet, counts: false), hinge)
    #expect(spare.state == .works)
  }

  @Test func `a missing switch from the settings is reported`() throws {
    let missing = try posture(choice: .named("Folio*"))
    #expect((missing.state, missing.message.code) == (.broken, .postureSwitchMissing))
    #expect(try posture(choice: .named("Hin*")).state == .works)
    #expect(try posture(choice: .named("intel-hid")).state == .works)
    #expect(try posture(choice: .none).state == .notApplicable)
  }

  @Test func `a panel that cannot rotate is broken`() {
    var panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    panel.supportedTransforms = [.none]
    let seen = DisplayInspection(
      system: "X11, :0", outputs: [panel], touch: [], focus: Message(.focusKnown, "reported"))
    let findings = Examination(display: .success(seen)).displayFindings
    #expect(state("rotation", of: findings) == .broken)
    #expect(state("touchscreen and pen", of: findings) == .notApplicable)
  }

  /// Doctor suggested the monitor instead of the panel, and the panel, which was set already.
  @Test(arguments: [OutputChoice(), OutputChoice(["eDP-1"])])
  func `a panel that is off is no fault`(_ chosen: OutputChoice) {
    let outputs = [
      Output(name: "eDP-1", isBuiltIn: true, isActive: false, width: 1280, height: 800),
      Output(name: "DP-1", isBuiltIn: false, isExternal: true, width: 1280, height: 800),
    ]
    let seen = DisplayInspection(
      system: "sway", outputs: outputs, touch: [], focus: Message(.focusKnown, "reported"))
    let findings = Examination(display: .success(seen)) { $0.configuration.settings.output = chosen }
      .displayFindings
    #expect(findings.isHealthy)
    let panel = findings.first { $0.name == "panel" }
    #expect(panel?.detail == "eDP-1 is switched off" && panel?.nextStep == "switch it on")
    #expect(state("rotation", of: findings) == .notApplicable)
  }

  @Test func `only outputs that are on are suggested for the settings`() {
    let outputs = ["DP-1", "DP-2"].map {
      Output(name: $0, isBuiltIn: false, isExternal: true, isActive: $0 == "DP-1", width: 1280, height: 800)
    }
    let seen = DisplayInspection(
      system: "sway", outputs: outputs, touch: [], focus: Message(.focusKnown, "reported"))
    let panel = Examination(display: .success(seen)).displayFindings.first { $0.name == "panel" }
    #expect(panel?.state == .broken && panel?.nextStep?.hasSuffix("to one of DP-1") == true)
  }

  /// Doctor missed a panel, or the chosen output, before the display system had reported any.
  @Test(arguments: [OutputChoice(), OutputChoice(["DP-1"])])
  func `without any output no panel is missed`(_ chosen: OutputChoice) {
    let seen = DisplayInspection(
      system: "sway", outputs: [], touch: [], focus: Message(.focusKnown, "reported"))
    let findings = Examination(display: .success(seen)) { $0.configuration.settings.output = chosen }
      .displayFindings
    #expect(
      findings.first { $0.name == "panel" }?.detail == "the desktop reports no output at the moment")
  }

  /// Doctor suggested installing a proxy that was installed: it exits without a sensor.
  @Test func `an installed proxy that has exited is not reinstalled`() throws {
    var examination = Examination { $0.configuration.machine.sensorSource = .proxy }
    let missing = examination.ofSensors.first { $0.name == "iio-sensor-proxy" }
    examination.proxy = .absent(isInstalled: true)
    let proxy = examination.ofSensors.first { $0.name == "iio-sensor-proxy" }
    #expect(try #require(proxy).state == .broken)
    #expect(proxy?.nextStep?.contains("install") == false)
    #expect(missing?.nextStep?.hasPrefix("install iio-sensor-proxy") == true)
  }

  /// Doctor checked the built-in panel while the daemon rotated another one with --output.
  @Test func `the output of the running daemon is reported`() throws {
    let outputs = ["eDP-1", "DSI-2"].map { Output(name: $0, isBuiltIn: true, width: 800, height: 1280) }
    let seen = DisplayInspection(
      system: "X11", outputs: outputs, touch: [],
      focus: Message(.focusKnown, "by _NET_ACTIVE_WINDOW"))
    var examination = Examination(display: .success(seen))
    examination.daemon = running { $0.outputs = ["DSI-2"] }
    let panel = try #require(examination.displayFindings.first { $0.name == "panel" })
    #expect(panel.detail == "DSI-2, 800x1280, chosen by the running autorotate")
    examination.daemon = running { $0.outputs = ["DSI-2", "eDP-1"] }
    let panels = examination.displayFindings.filter { $0.name == "panel" }
    #expect(panels.map(\.detail) == ["DSI-2, 800x1280", "eDP-1, 800x1280"])
  }

  /// Doctor did not check the second of two panels, whose driver can prevent the rotation of both.
  @Test func `all panels that rotate together are checked`() {
    var outputs = ["eDP-1", "eDP-2"].map { Output(name: $0, isBuiltIn: true, width: 1280, height: 800) }
    outputs[1].supportedTransforms = [.none]
    let seen = DisplayInspection(
      system: "X11", outputs: outputs, touch: [],
      focus: Message(.focusKnown, "by _NET_ACTIVE_WINDOW"))
    var examination = Examination(display: .success(seen))
    let states = { (name: String) in
      examination.displayFindings.filter { $0.name == name }.map(\.state)
    }
    #expect(states("panel") == [.works, .works])
    #expect(states("rotation") == [.works, .broken])
    examination.configuration.settings.output = OutputChoice(["eDP-1"])
    #expect(states("rotation") == [.works])
  }

  @Test func `a desktop that does not rotate its panel is broken`() throws {
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    let own = Message(.desktopRotates, "KWin rotates the screen itself", next: "set take-over = true")
    let seen = DisplayInspection(
      system: "KWin", outputs: [panel], touch: [], focus: Message(.focusKnown, "reported"),
      ownRotation: own)
    let examination = Examination(display: .success(seen)) {
      $0.daemon = running { $0.reasonCodes = [Message.Code.desktopNotRotating.rawValue] }
    }
    let finding = try #require(
      examination.displayFindings.first { $0.name == "rotation by the desktop" })
    #expect((finding.state, finding.message.code) == (.broken, .desktopNotRotating))
    #expect(finding.nextStep == "set take-over = true")
  }

  @Test func `a session error is reported once`() {
    let failure = Message(.displayNone, "there is no desktop here", next: "start autorotate from within it")
    let findings = Examination(display: .failure(failure)) { $0.choice = .failure(failure) }.displayFindings
    #expect(findings.filter { $0.detail.contains("no desktop here") }.map(\.name) == ["session"])
    #expect(state("display", of: findings) == .notApplicable)
  }

  @Test func `Xwayland is refused with its own message`() {
    let failure = Message.isXWayland(":0")
    let findings = Examination(display: .failure(failure)) { $0.choice = .failure(failure) }.displayFindings
    #expect(findings[0].state == .broken)
    #expect(findings[0].detail == "the X display :0 is XWayland, which cannot rotate anything")
    #expect(findings[0].nextStep?.hasPrefix("this is a Wayland session") == true)
  }

  @Test func `lines with and without unicode`() {
    let report: [Finding] = [
      .works("one", "fine"), .broken("three", .sensorInvalidValues, "“bad” 1 m/s²", next: "fix\u{1B}[2J"),
      .notApplicable("x", "–"),
    ]
    #expect(
      report.lines(TerminalStyle(isUnicode: true, hasColour: false)) == [
        "✓ one    fine", "✗ three  “bad” 1 m/s²", "         → fix?[2J", "– x      –",
      ])
    #expect(
      report.lines(.plain) == [
        "ok    one    fine", "FAIL  three  \"bad\" 1 m/s2", "             -> fix?[2J", "n/a   x      -",
      ])
    #expect(
      report.lines(TerminalStyle(isUnicode: true, hasColour: true))[0] == "\u{1B}[32m✓ \u{1B}[0mone    fine")
  }

  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
    (["LC_ALL": "C", "LANG": "C.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8"], true),
  ])
  func `the locale decides about unicode`(_ environment: [String: String], _ isUnicode: Bool) {
    #expect(TerminalStyle(of: -1) { environment[$0] }.isUnicode == isUnicode)
  }
}
