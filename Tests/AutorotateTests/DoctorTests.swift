// SPDX-License-Identifier: MIT

import Configuration
import SensorSources
import System
import Testing

@testable import Autorotation
@testable import DesktopBackends
@testable import autorotate

/// The findings of `autorotate doctor`.
struct DoctorTests {
  static let sensor = AccelerometerInspection(
    title: "accel_3d (iio:device0)", matrixSource: "no matrix given")
  static let steady = Array(repeating: Acceleration(x: 0, y: -9.8, z: 0.1), count: 3)

  private func facts(_ change: (inout SensorFacts) -> Void = { _ in }) -> SensorFacts {
    var facts = SensorFacts(accelerometer: .success(Self.sensor), reading: .values(Self.steady))
    change(&facts)
    return facts
  }

  private func state(_ name: String, of findings: [Finding]) -> Finding.State? {
    findings.first { $0.name == name }?.state
  }

  @Test func `a healthy sensor has no problems`() {
    let report = FindingReport(findings: facts().findings)
    #expect(report.isHealthy)
    #expect(facts().findings.map(\.name).first == "sensor")
  }

  /// keyd#475: the built-in keyboard was disabled, but still typed.
  @Test func `the keyboard of a remapper is reported`() throws {
    let facts = ProgramFacts(
      sparedKeyboards: ["keyd virtual keyboard"], daemon: .silent(Message(.notRunning, "not running")))
    let finding = try #require(facts.findings.first { $0.name == "keyboard off" })
    #expect(finding.state == .broken)
    #expect(finding.nextStep?.contains("devices = [\"auto\", \"keyd virtual keyboard\"]") == true)
  }

  @Test func `a keyboard that libinput leaves on is reported`() throws {
    let facts = ProgramFacts(
      keyboardsLeftOn: ["AT Translated Set 2 keyboard"], daemon: .silent(Message(.notRunning, "not running")))
    let finding = try #require(facts.findings.first { $0.name == "keyboard off" })
    #expect(finding.state == .notApplicable)
    #expect(finding.nextStep?.contains("devices = [\"auto\", \"AT Translated Set 2 keyboard\"]") == true)
  }

  @Test func `scripts and plugins that rotate are named`() {
    let processes = [
      RunningProcess(id: 7, name: "tablet-auto-rot"), RunningProcess(id: 8, name: "wayfire"),
      RunningProcess(id: 9, name: "sh"),
    ]
    let names = { (wayfire: String) in
      ProgramFacts.ConflictingProgram.known(among: processes, wayfire: wayfire).map(\.name)
    }
    #expect(names("[core]\nplugins = alpha \\\n  autorotate-iio\n") == ["tablet-auto-rot", "autorotate-iio"])
    #expect(names("# plugins = autorotate-iio\nplugins = alpha\n") == ["tablet-auto-rot"])
  }

  @Test func `an unreliable tablet switch counts as none`() throws {
    let input = PostureInput(
      kind: .tabletSwitch, name: "Intel Virtual Button driver", node: "/dev/input/event6")
    let unreliable = PostureInspection(input, isReadable: true, isUnreliable: true)
    let findings = PostureFacts(devices: [unreliable], rotateIn: .tablet).findings
    #expect(findings.map(\.state) == [.broken, .notApplicable])
    #expect(findings.last?.nextStep?.contains("switch = \"Intel Virtual Button driver\"") == true)
  }

  @Test func `two accelerometers without a location are both named`() {
    let facts = facts { facts in
      var sensor = Self.sensor
      sensor.alternatives = ["mxc4005 (iio:device1)"]
      facts.accelerometer = .success(sensor)
    }
    let finding = facts.findings.first { $0.name == "sensor" }
    #expect(finding?.state == .works)
    #expect(finding?.detail.contains("the first of 2") == true && finding?.detail.contains("mxc4005") == true)
    #expect(finding?.nextStep?.contains("name the other with device under [sensor]") == true)
  }

  @Test func `an input accelerometer is not a missing driver`() {
    let facts = facts { facts in
      facts.accelerometer = .failure(Message(.sensorNone, "no accelerometer", next: "its driver is missing"))
      facts.reading = nil
      facts.inputAccelerometers = ["ST LIS3LV02DL Accelerometer"]
    }
    let finding = facts.findings.first { $0.name == "sensor" }
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
    let facts = ProgramFacts(
      missingKeyboard: machine.missingKeyboard(programs), daemon: .silent(Message(.notRunning, "not running"))
    )
    let finding = try #require(facts.findings.first { $0.name == "on-screen keyboard" })
    #expect(finding.state == .broken)
    #expect(finding.detail.contains("/nonexistent/keyboard"))
  }

  /// A driver refuses raw reads while iio-sensor-proxy streams.
  @Test func `a busy sensor is read through the proxy`() {
    let busy = facts {
      var sensor = Self.sensor
      sensor.isStreaming = true
      $0.accelerometer = .success(sensor)
      $0.reading = .failed("the accelerometer cannot be read: Device or resource busy; end that program")
      $0.proxy = .running(process: 7, hasAccelerometer: true)
    }
    #expect(FindingReport(findings: busy.findings).isHealthy)
    var rawOnly = busy
    rawOnly.source = .iio
    #expect(state("readable", of: rawOnly.findings) == .broken)
    #expect(state("iio-sensor-proxy", of: rawOnly.findings) == .broken)
    var withoutSensor = busy
    withoutSensor.proxy = .running(process: 7, hasAccelerometer: false)
    #expect(state("readable", of: withoutSensor.findings) == .broken)
  }

  @Test func `a sensor that the daemon uses is healthy`() {
    let streaming = facts {
      var sensor = Self.sensor
      sensor.isStreaming = true
      $0.accelerometer = .success(sensor)
      $0.reading = .failed("the accelerometer cannot be read: Device or resource busy; end that program")
    }
    #expect(state("readable", of: streaming.findings) == .broken)
    var inUse = streaming
    inUse.isInUse = true
    #expect(FindingReport(findings: inUse.findings).isHealthy)
  }

  @Test func `a second accelerometer measures the hinge`() {
    var sensor = Self.sensor
    sensor.base = "accel_3d (iio:device1)"
    let facts = facts {
      $0.accelerometer = .success(sensor)
      $0.posture.rotateIn = .tablet
    }
    #expect(state("hinge", of: facts.findings) == .works)
    #expect(state("posture switch", of: facts.findings) == nil)
  }

  @Test func `the kernel's hinge sensor is reported`() {
    func findings(_ hinge: Result<String, Message>) -> [Finding] {
      facts {
        var sensor = Self.sensor
        sensor.hinge = hinge
        $0.accelerometer = .success(sensor)
        $0.posture.rotateIn = .tablet
      }.findings
    }
    let works = findings(.success("hinge (iio:device3)"))
    #expect(works.first { $0.name == "hinge" }?.detail.contains("with hinge (iio:device3)") == true)
    #expect(state("posture switch", of: works) == nil)
    let fails = findings(.failure(Message(.postureUnknown, "no label", next: "wait")))
    #expect(state("hinge", of: fails) == .broken)
    #expect(state("posture switch", of: fails) == .broken)
  }

  @Test func `a missing named accelerometer is reported`() {
    var sensor = Self.sensor
    sensor.missingDevice = Message(.sensorDeviceMissing, "missing", next: "check")
    #expect(state("sensor", of: facts { $0.accelerometer = .success(sensor) }.findings) == .broken)
  }

  @Test func `a gyroscope is reported`() {
    func facts(_ change: (inout SensorFacts) -> Void) -> [Finding] {
      var sensor = Self.sensor
      sensor.gyroscope = "gyro_3d (iio:device1)"
      return self.facts {
        $0.accelerometer = .success(sensor)
        change(&$0)
      }.findings
    }
    #expect(state("gyroscope", of: self.facts().findings) == .notApplicable)
    #expect(state("gyroscope", of: facts { $0.usesGyroscope = false }) == .notApplicable)
    let read = facts { $0.rate = AngularRate(x: 0.01, y: -0.5, z: 2) }
    let detail = read.first { $0.name == "gyroscope" }?.detail
    #expect(
      detail == "gyro_3d (iio:device1), read while the device may be rotating; now 0.01, -0.50, 2.00 rad/s")
    let fault = Message(.sensorGyroscope, "it cannot be read", next: "see dmesg")
    #expect(state("gyroscope", of: facts { $0.gyroscopeFault = fault }) == .broken)
    let inUse = facts {
      $0.gyroscopeFault = fault
      $0.isInUse = true
    }
    #expect(state("gyroscope", of: inUse) == .works)
  }

  @Test func `the proxy replaces a missing sensor`() {
    let facts = SensorFacts(
      accelerometer: .failure("no accelerometer"), reading: nil,
      proxy: .running(process: nil, hasAccelerometer: true))
    #expect(FindingReport(findings: facts.findings).isHealthy)
  }

  @Test(arguments: [(9.81, true), (8.4, true), (11.2, true), (0.0, false), (4.9, false), (98, false)])
  func `a magnitude near gravity is plausible`(_ magnitude: Double, _ isPlausible: Bool) {
    let facts = facts { $0.reading = .values([Acceleration(x: 0, y: 0, z: magnitude)]) }
    #expect(state("plausible", of: facts.findings) == (isPlausible ? .works : .broken))
  }

  @Test func `a missing posture switch is broken if required`() {
    #expect(state("posture switch", of: facts().findings) == .notApplicable)
    #expect(state("posture switch", of: facts { $0.posture.rotateIn = .tablet }.findings) == .broken)
    let locked = facts {
      $0.posture.rotateIn = .tablet
      $0.posture.devices = [PostureInspection(Self.hinge, isReadable: false)]
    }
    #expect(state("posture switch", of: locked.findings) == .broken)
  }

  private static let hinge = PostureInput(
    kind: .tabletSwitch, name: "Hinge", driver: "intel-hid", node: "/dev/input/event5")

  private func reading(_ says: Posture, counts: Bool, changed: Instant? = nil) -> PostureReport {
    let statement = PostureReading(input: Self.hinge, posture: says, changedAt: changed, isUsed: counts)
    return PostureReport(statement) { UInt64($0.nanoseconds / 1_000_000_000) }
  }

  private func posture(_ change: (inout PostureFacts) -> Void) throws -> Finding {
    let facts = facts {
      $0.posture.devices = [PostureInspection(Self.hinge, isReadable: true, says: .laptop)]
      change(&$0.posture)
    }
    return try #require(facts.findings.first { $0.name == "posture switch" })
  }

  @Test func `a posture sensor is shown with its reading`() throws {
    let still = try posture { _ in }
    #expect(still.state == .works)
    #expect(still.detail == "Hinge (/dev/input/event5, intel-hid) reports laptop")
    let unmoved = try posture { $0.daemonReports = [reading(.laptop, counts: true)] }
    #expect(unmoved.detail.hasSuffix("reports laptop, unchanged since autorotate started"))
    let moved = try posture {
      $0.daemonReports = [reading(.tablet, counts: true, changed: Instant(seconds: 1e8))]
    }
    #expect(moved.detail.contains("reports tablet since "))
  }

  @Test func `a contradicted switch is reported`() throws {
    let hinge = PostureReport(PostureReading(posture: .tablet, isUsed: true)) { _ in 0 }
    let wrong = try posture { $0.daemonReports = [reading(.laptop, counts: false), hinge] }
    #expect(wrong.state == .broken)
    #expect(wrong.message.code == .postureContradicted)
    let tent = PostureReport(PostureReading(posture: .tent, isUsed: true)) { _ in 0 }
    #expect(try posture { $0.daemonReports = [reading(.tablet, counts: false), tent] }.state == .works)
    #expect(try posture { $0.daemonReports = [reading(.laptop, counts: false), tent] }.state == .broken)
    let spare = try posture { $0.daemonReports = [reading(.tablet, counts: false), hinge] }
    #expect(spare.state == .works)
  }

  @Test func `a missing switch from the settings is reported`() throws {
    let missing = try posture { $0.choice = .named("Folio*") }
    #expect((missing.state, missing.message.code) == (.broken, .postureSwitchMissing))
    #expect(try posture { $0.choice = .named("Hin*") }.state == .works)
    #expect(try posture { $0.choice = .named("intel-hid") }.state == .works)
    #expect(try posture { $0.choice = .none }.state == .notApplicable)
  }

  @Test func `a panel that cannot rotate is broken`() {
    var panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    panel.supportedTransforms = TransformSet(.none)
    let seen = DisplayInspection(
      system: "X11, :0", outputs: [panel], panel: "eDP-1", touch: [], focus: Message(.focusKnown, "reported"))
    let choice = BackendChoice(kind: .x11, reason: "The session is X11.")
    let findings = DisplayFacts(choice: .success(choice), inspection: .success(seen)).findings
    #expect(state("rotation", of: findings) == .broken)
    #expect(state("touchscreen and pen", of: findings) == .notApplicable)
  }

  /// Doctor suggested installing a proxy that was installed: it exits without a sensor.
  @Test func `an installed proxy that has exited is not reinstalled`() throws {
    let proxy = facts {
      $0.source = .proxy
      $0.isProxyInstalled = true
    }.findings.first { $0.name == "iio-sensor-proxy" }
    #expect(try #require(proxy).state == .broken)
    #expect(proxy?.nextStep?.contains("install") == false)
    let missing = facts { $0.source = .proxy }.findings.first { $0.name == "iio-sensor-proxy" }
    #expect(missing?.nextStep?.hasPrefix("install iio-sensor-proxy") == true)
  }

  /// Doctor checked the built-in panel while the daemon rotated another one with --output.
  @Test func `the output of the running daemon is reported`() throws {
    let outputs = ["eDP-1", "DSI-2"].map { Output(name: $0, isBuiltIn: true, width: 800, height: 1280) }
    let seen = DisplayInspection(
      system: "X11", outputs: outputs, panel: "eDP-1", touch: [],
      focus: Message(.focusKnown, "by _NET_ACTIVE_WINDOW"))
    let choice = BackendChoice(kind: .x11, reason: "The session is X11.")
    var facts = DisplayFacts(choice: .success(choice), inspection: .success(seen))
    facts.daemonOutputs = ["DSI-2"]
    let panel = try #require(facts.findings.first { $0.name == "panel" })
    #expect(panel.detail == "DSI-2, 800x1280, chosen by the running autorotate")
    facts.daemonOutputs = ["DSI-2", "eDP-1"]
    #expect(
      facts.findings.filter { $0.name == "panel" }.map(\.detail) == ["DSI-2, 800x1280", "eDP-1, 800x1280"])
  }

  /// Doctor did not check the second of two panels, whose driver can prevent the rotation of both.
  @Test func `all panels that rotate together are checked`() {
    var outputs = ["eDP-1", "eDP-2"].map { Output(name: $0, isBuiltIn: true, width: 1280, height: 800) }
    outputs[1].supportedTransforms = TransformSet(.none)
    let seen = DisplayInspection(
      system: "X11", outputs: outputs, panel: "eDP-1", touch: [],
      focus: Message(.focusKnown, "by _NET_ACTIVE_WINDOW"))
    let choice = BackendChoice(kind: .x11, reason: "The session is X11.")
    var facts = DisplayFacts(choice: .success(choice), inspection: .success(seen))
    #expect(facts.findings.filter { $0.name == "panel" }.map(\.state) == [.works, .works])
    #expect(facts.findings.filter { $0.name == "rotation" }.map(\.state) == [.works, .broken])
    facts.chosenOutput = OutputChoice(["eDP-1"])
    #expect(facts.findings.filter { $0.name == "rotation" }.map(\.state) == [.works])
  }

  @Test func `a desktop that does not rotate its panel is broken`() throws {
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    let own = Message(.desktopRotates, "KWin rotates the screen itself", next: "set take-over = true")
    let seen = DisplayInspection(
      system: "KWin", outputs: [panel], panel: "eDP-1", touch: [], focus: Message(.focusKnown, "reported"),
      ownRotation: own)
    let choice = BackendChoice(kind: .kde, reason: "The session is KDE.")
    var facts = DisplayFacts(choice: .success(choice), inspection: .success(seen))
    facts.isDesktopNotRotating = true
    let finding = try #require(facts.findings.first { $0.name == "rotation by the desktop" })
    #expect((finding.state, finding.message.code) == (.broken, .desktopNotRotating))
    #expect(finding.nextStep == "set take-over = true")
  }

  @Test func `a session error is reported once`() {
    let failure = Message(.displayNone, "there is no desktop here", next: "start autorotate from within it")
    let findings = DisplayFacts(choice: .failure(failure), inspection: .failure(failure)).findings
    #expect(findings.filter { $0.detail.contains("no desktop here") }.map(\.name) == ["session"])
    #expect(state("display", of: findings) == .notApplicable)
  }

  @Test func `Xwayland is refused with its own message`() {
    let failure = Message.isXWayland(":0")
    let findings = DisplayFacts(choice: .failure(failure), inspection: .failure(failure)).findings
    #expect(findings[0].state == .broken)
    #expect(findings[0].detail == "the X display :0 is XWayland, which cannot rotate anything")
    #expect(findings[0].nextStep?.hasPrefix("this is a Wayland session") == true)
  }

  @Test func `lines with and without unicode`() {
    let report = FindingReport(findings: [
      .works("one", "fine"), .broken("three", .sensorInvalidValues, "“bad” 1 m/s²", next: "fix\u{1B}[2J"),
      .notApplicable("x", "–"),
    ])
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
