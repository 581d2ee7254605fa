// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// What scenarios cannot express: the deadlines and demands between two events.
struct AutorotatorTests {
  private static let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)

  private static func machine(_ outputs: Output...) -> Autorotator {
    var machine = Autorotator()
    _ = machine.handle(.sensorFound(name: "accelerometer"), at: Instant(seconds: 0))
    _ = machine.handle(.outputsChanged(outputs), at: Instant(seconds: 0))
    return machine
  }

  // MARK: The panel's aspect

  @Test func `natural aspect is that of the panel`() {
    var high = Self.panel
    (high.width, high.height) = (800, 1280)
    var sideways = high
    sideways.mount = .rightSideUp
    #expect(Self.machine(Self.panel).naturalAspect == .landscape)
    #expect(Self.machine(high).naturalAspect == .portrait)
    #expect(Self.machine(sideways).naturalAspect == .landscape)
  }

  @Test func `natural aspect of no panel is unknown`() {
    let monitors = ["HDMI-1", "HDMI-2"].map { Output(name: $0, isBuiltIn: false, width: 800, height: 1280) }
    var inactive = Self.panel
    inactive.isActive = false
    #expect(Autorotator().naturalAspect == nil)
    #expect(Self.machine(monitors[0], monitors[1]).naturalAspect == nil)
    #expect(Self.machine(inactive).naturalAspect == nil)
  }

  @Test func `natural aspect goes by the mount of the settings`() {
    var machine = Self.machine(Self.panel)
    var settings = Settings()
    settings.panelMount = .leftSideUp
    _ = machine.handle(.settingsChanged(settings), at: Instant(seconds: 1))
    #expect(machine.naturalAspect == .portrait)
  }

  // MARK: The lock

  @Test func `an unsaved lock is a reason until the next`() {
    var machine = Self.machine(Self.panel)
    let reason = Reason.lockNotSaved(Message(.lockNotSaved, "The disk is full."))
    func reports(_ event: Event) -> Bool? {
      let statuses = machine.handle(event, at: Instant(seconds: 1)).compactMap { action in
        if case .publish(let status) = action { status } else { nil }
      }
      return statuses.last?.reasons.contains(reason)
    }
    #expect(reports(.command(.lock(.to(.left), until: nil))) == false)
    #expect(reports(.lockNotSaved(reason.message(on: nil))) == true)
    #expect(reports(.command(.lock(.to(.right), until: nil))) == false)
    #expect(reports(.lockNotSaved(reason.message(on: nil))) == true)
    #expect(reports(.command(.unlock)) == false)
  }

  /// A short status shows the last reason.
  @Test func `the last reason is not about a monitor`() {
    let monitor = Output(name: "DP-1", isBuiltIn: false, isExternal: true, width: 1280, height: 800)
    var machine = Self.machine(Self.panel, monitor)
    _ = machine.handle(.command(.rotate(.to(.left), output: "DP-1")), at: Instant(seconds: 1))
    let actions = machine.handle(.command(.lock(nil, until: nil)), at: Instant(seconds: 2))
    let reasons = actions.flatMap { action in
      if case .publish(let status) = action { status.reasons } else { [Reason]() }
    }
    #expect(reasons == [.outputKept("DP-1", .left, isOn: true), .locked(.normal, nil)])
  }

  /// A finger, or a driver that supports no rotation, matters again once the screen is on.
  @Test func `while the screen is off nothing else is an obstacle`() {
    var fixed = Self.panel
    fixed.supportedTransforms = [.none]
    for panel in [Self.panel, fixed] {
      var machine = Self.machine(panel)
      _ = machine.handle(.displayPowerChanged(isOn: false), at: Instant(seconds: 1))
      _ = machine.handle(.touchBegan, at: Instant(seconds: 2))
      for orientation in [InterfaceOrientation.left, .normal] {
        let lock = Event.command(.lock(.to(orientation), until: nil))
        let status = Self.status(machine.handle(lock, at: Instant(seconds: 3)))
        #expect(status?.reasons == [.locked(orientation, nil), .displayIsOff])
      }
    }
  }

  /// "The orientation is not known yet, so the screen keeps its orientation" is wrong there.
  @Test func `while the desktop rotates only that is a reason`() {
    var machine = Self.machine(Self.panel)
    let gnome = Message(.desktopRotates, "GNOME rotates the screen.")
    let reasons = [Event.desktopRotates(gnome), .desktopRotates(nil)].map {
      Self.status(machine.handle($0, at: Instant(seconds: 1)))?.reasons
    }
    #expect(reasons == [[.desktopRotates(gnome)], [.notUpright(.unknown)]])
  }

  /// The daemon knows posture and settings before the display system answers.
  @Test func `a posture at the start locks what the panel shows`() {
    var machine = Autorotator()
    var settings = Settings()
    settings[lockIn: .laptop] = .locked
    var rotated = Self.panel
    rotated.transform = .rotated90
    let laptop = PostureEvidence([PostureInput(kind: .tabletSwitch, name: "switch"): .laptop])
    let events: [Event] = [.postureEvidence(laptop), .settingsChanged(settings), .outputsChanged([rotated])]
    let actions = events.flatMap { machine.handle($0, at: Instant(seconds: 0)) }
    #expect(machine.locking.lock == Lock(orientation: .left, posture: .laptop))
    #expect(!actions.contains { if case .willRotate = $0 { true } else { false } })
  }

  /// Apps that have not had focus are then no longer known.
  @Test func `a lock for an app outlasts the list of windows`() {
    var machine = Self.machine(Self.panel)
    let lock = Event.command(.lock(.to(.normal), until: .focus(application: "krita")))
    for event in [.windowsListed([["krita"]]), lock, .windowsListed(nil)] {
      _ = machine.handle(event, at: Instant(seconds: 1))
    }
    #expect(machine.locking.lock != nil)
  }

  // MARK: Two panels

  @Test func `a rotation starts from what its first output shows`() {
    var second = Self.panel
    (second.name, second.transform) = ("eDP-2", .rotated90)
    var machine = Self.machine(Self.panel, second)
    let announced = machine.handle(.deviceRotated(.normal), at: Instant(seconds: 0.1)).compactMap { action in
      if case .willRotate(let rotation) = action { rotation } else { nil }
    }
    #expect(announced.map(\.outputs) == [["eDP-2"]])
    #expect(announced.map(\.from) == [.left] && announced.map(\.to) == [.normal])
  }

  // MARK: Monitors

  @Test func `an answer for a monitor that is not rotating is ignored`() {
    let monitor = Output(name: "DP-1", isBuiltIn: false, isExternal: true, width: 1280, height: 800)
    var machine = Self.machine(Self.panel, monitor)
    let answer = Event.outputAnswered(PanelRotation("DP-1", to: .rotated90), failure: nil)
    _ = machine.handle(answer, at: Instant(seconds: 1))
    #expect(machine.displays.outputs == [Self.panel, monitor])
  }

  /// KWin lets two virtual outputs have the same name; the second is not lost.
  @Test func `an output that is lost is reported once`() {
    var lost = Output(name: "Virtual-tv", isBuiltIn: false, isActive: false, width: 1280, height: 800)
    let other = lost
    lost.switchOnFailure = Message(.outputNotRestored, "Virtual-tv is off")
    var machine = Self.machine(Self.panel, other, other)
    let isReported = [1.0, 2].map { second in
      Self.hasReport(
        machine.handle(.outputsChanged([Self.panel, lost, other]), at: Instant(seconds: second)))
    }
    #expect(isReported == [true, false])
  }

  @Test func `a monitor that becomes a panel is no longer kept`() {
    let monitor = Output(name: "DP-1", isBuiltIn: false, isExternal: true, width: 1280, height: 800)
    var machine = Self.machine(monitor)
    let rotate = Event.command(.rotate(.to(.left), output: "DP-1"))
    let isKept = { (status: Status?) in status?.reasons.contains(.outputKept("DP-1", .left, isOn: true)) }
    #expect(isKept(Self.status(machine.handle(rotate, at: Instant(seconds: 1)))) == true)
    var settings = Settings()
    settings.output = OutputChoice(["DP-1"])
    let status = Self.status(machine.handle(.settingsChanged(settings), at: Instant(seconds: 2)))
    #expect(isKept(status) == false)
  }

  @Test func `the last eight rotations without an answer are known`() {
    var progress = RotationProgress()
    let rotations = (1...9).map { number in
      Rotation(from: .normal, to: .left, outputs: ["eDP-1"], width: 800, height: 1280, number: number)
    }
    for rotation in rotations { progress.recordUnanswered(rotation, []) }
    #expect(rotations.map { progress.forget($0) != nil } == [false] + Array(repeating: true, count: 8))
  }

  // MARK: Waking up

  @Test func `the sensors first report is awaited only once`() {
    var machine = Self.machine(Self.panel)
    #expect(machine.deadline == Instant(seconds: 0.5))
    _ = machine.handle(.deviceRotated(.unknown), at: Instant(seconds: 0.1))
    #expect(machine.deadline == Instant(seconds: 0.5))
    _ = machine.handle(.deviceRotated(.normal), at: Instant(seconds: 0.2))
    #expect(machine.deadline == nil)
  }

  @Test func `a silent sensor causes only one wake up`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.deadlineReached, at: Instant(seconds: 0.5))
    #expect(machine.deadline == nil)
  }

  /// Before, the deadline for two seconds of zeros stayed.
  @Test func `one implausible sample is forgotten with the next`() {
    var machine = Self.machine(Self.panel)
    for step in 0..<20 { Self.add(Acceleration(x: 0, y: -9.81, z: 0), &machine, at: 0.05 * Double(step)) }
    #expect(machine.deadline == nil)
    Self.add(Acceleration(x: 0, y: 0, z: 0), &machine, at: 1)
    #expect(machine.deadline == Instant(seconds: 3))
    Self.add(Acceleration(x: 0, y: -9.81, z: 0), &machine, at: 1.05)
    #expect(machine.deadline == nil)
  }

  private static func add(_ a: Acceleration, _ machine: inout Autorotator, at seconds: Double) {
    _ = machine.handle(.acceleration(a), at: Instant(seconds: seconds))
  }

  @Test func `a new sensor has no orientation yet`() {
    var machine = Self.machine(Self.panel)
    var status = Self.status(machine.handle(.deviceRotated(.leftUp), at: Instant(seconds: 0.1)))
    #expect(status?.device == .leftUp)
    status = Self.status(machine.handle(.sensorFound(name: "another"), at: Instant(seconds: 5)))
    #expect(status?.device == .unknown)
    #expect(status?.sensor == .found(name: "another", isAsleep: false))
  }

  private static func status(_ actions: [Action]) -> Status? {
    actions.reduce(nil) { latest, action in if case .publish(let status) = action { status } else { latest } }
  }

  @Test func `a lost sensor has no orientation`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.deviceRotated(.leftUp), at: Instant(seconds: 0.1))
    let status = Self.status(machine.handle(.sensorLost("It has gone."), at: Instant(seconds: 5)))
    #expect(status?.device == .unknown)
    #expect(status?.reasons.contains(.upright(.leftUp)) == false)
  }

  /// Before, a new sensor continued with the evidence of the lost one.
  @Test func `a sensor lost before its first report is not awaited`() {
    var machine = Self.machine(Self.panel)
    #expect(machine.deadline == Instant(seconds: 0.5))
    _ = machine.handle(.sensorLost("It has gone."), at: Instant(seconds: 0.1))
    #expect(machine.deadline == nil)
  }

  @Test func `a sensor no longer needed is not awaited`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.command(.lock(nil, until: nil)), at: Instant(seconds: 0.2))
    #expect(machine.deadline == nil)
  }

  @Test func `implausible samples are not blamed on the next sensor`() {
    var machine = Self.machine(Self.panel)
    Self.add(Acceleration(x: 0, y: 0, z: 0), &machine, at: 1)
    let distrusted = Self.status(machine.handle(.deadlineReached, at: Instant(seconds: 3)))
    #expect(distrusted?.reasons.contains(.sensorIsImplausible) == true)
    let found = Self.status(machine.handle(.sensorFound(name: "another"), at: Instant(seconds: 4)))
    #expect(found?.reasons.contains(.sensorIsImplausible) == false)
  }

  // MARK: The desktop's answer

  private static func hasReport(_ actions: [Action]) -> Bool {
    actions.contains { if case .report = $0 { true } else { false } }
  }

  /// A machine whose desktop has been asked, at 6 s, why the screen is not left.
  private static func askingMachine() -> Autorotator {
    var machine = machine(panel)
    var settings = Settings()
    settings.rules = [ApplicationRule(source: "", matches: ["mpv"], supported: [.landscape])]
    _ = machine.handle(.settingsChanged(settings), at: Instant(seconds: 0))
    _ = machine.handle(.focusChanged(nil), at: Instant(seconds: 0))
    _ = machine.handle(.desktopRotates("The desktop rotates."), at: Instant(seconds: 0))
    _ = machine.handle(.deviceRotated(.leftUp), at: Instant(seconds: 1))
    #expect(machine.handle(.deadlineReached, at: Instant(seconds: 6)).contains(.askDesktop))
    return machine
  }

  @Test func `an answer about the last device orientation is ignored`() {
    var machine = Self.askingMachine()
    _ = machine.handle(.deviceRotated(.rightUp), at: Instant(seconds: 7))
    let actions = machine.handle(.desktopAnswered(isIntentional: false), at: Instant(seconds: 8))
    #expect(!Self.hasReport(actions))
  }

  /// The debounce time of its window has passed when the answer is read.
  @Test func `an answer is ignored once an app allows only landscape`() {
    var machine = Self.askingMachine()
    _ = machine.handle(.focusChanged(Window(id: 1, identifiers: ["mpv"])), at: Instant(seconds: 7))
    var unfocused = machine
    let early = unfocused.handle(.desktopAnswered(isIntentional: false), at: Instant(seconds: 7.1))
    #expect(Self.hasReport(early))
    let late = machine.handle(.desktopAnswered(isIntentional: false), at: Instant(seconds: 7.2))
    #expect(!Self.hasReport(late))
  }

  @Test func `a desktop that rotates after all has no finding`() {
    var machine = Self.askingMachine()
    let finding = { (status: Status?) in status?.reasons.contains { $0.fault == .desktopNotRotating } }
    let answered = machine.handle(.desktopAnswered(isIntentional: false), at: Instant(seconds: 7))
    #expect(finding(Self.status(answered)) == true)
    var rotated = Self.panel
    rotated.transform = .rotated90
    let status = Self.status(machine.handle(.outputsChanged([rotated]), at: Instant(seconds: 20)))
    #expect(finding(status) == false)
  }

  // MARK: No needless wake-ups

  @Test func `a touch causes no wake up while the desktop rotates`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.deviceRotated(.normal), at: Instant(seconds: 0.1))
    _ = machine.handle(.touchBegan, at: Instant(seconds: 1))
    _ = machine.handle(.command(.lock(.to(.left), until: nil)), at: Instant(seconds: 1.5))
    #expect(machine.deadline == Instant(seconds: 2.5))
    _ = machine.handle(.desktopRotates("The desktop rotates."), at: Instant(seconds: 2))
    #expect(machine.deadline == nil)
  }

  /// A finger delays the rotation until it is lifted.
  @Test func `a late report of players causes no wake up`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.deviceRotated(.normal), at: Instant(seconds: 0.1))
    _ = machine.handle(.touchBegan, at: Instant(seconds: 1))
    _ = machine.handle(.deviceRotated(.leftUp), at: Instant(seconds: 2))
    _ = machine.handle(.playersChanged([]), at: Instant(seconds: 3))
    #expect(machine.deadline == nil)
  }

  /// Rotations wait half a second after a touch once there is a screen to rotate.
  @Test func `a touch causes no wake up without a lit panel`() {
    var off = Self.panel
    off.isActive = false
    let monitor = Output(name: "DP-1", isBuiltIn: false, isExternal: true, width: 1280, height: 800)
    for change in [.outputsChanged([off]), .outputsChanged([monitor]), .displayPowerChanged(isOn: false)]
      as [Event]
    {
      var machine = Self.machine(Self.panel)
      _ = machine.handle(change, at: Instant(seconds: 1))
      for event in [.command(.lock(.to(.left), until: nil)), .touchBegan, .touchEnded] as [Event] {
        _ = machine.handle(event, at: Instant(seconds: 2))
      }
      #expect(machine.deadline == nil)
    }
  }

  /// The sensor sleeps after the third answer, however late it comes.
  @Test func `a desktop asked three times causes no wake up for a fourth`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.desktopRotates("The desktop rotates."), at: Instant(seconds: 0))
    for (second, device) in [(0.0, DeviceOrientation.leftUp), (10, .bottomUp), (20, .rightUp)] {
      _ = machine.handle(.desktopAnswered(isIntentional: true), at: Instant(seconds: second))
      _ = machine.handle(.deviceRotated(device), at: Instant(seconds: second))
      #expect(machine.deadline == Instant(seconds: second + 5))
      let actions = machine.handle(.deadlineReached, at: Instant(seconds: second + 5))
      #expect(actions.contains(.askDesktop))
    }
    _ = machine.handle(.deviceRotated(.leftUp), at: Instant(seconds: 26))
    #expect(machine.deadline == Instant(seconds: 600), "the end of the watch")
  }

  @Test func `a command during a rotation causes no earlier wake up`() {
    var machine = Self.machine(Self.panel)
    _ = machine.handle(.deviceRotated(.normal), at: Instant(seconds: 0.1))
    _ = machine.handle(.command(.lock(.to(.left), until: nil)), at: Instant(seconds: 1))
    #expect(machine.deadline == Instant(seconds: 3), "hooks may take two seconds")
    _ = machine.handle(.touchBegan, at: Instant(seconds: 1.1))
    _ = machine.handle(.command(.lock(.to(.right), until: nil)), at: Instant(seconds: 1.2))
    #expect(machine.deadline == Instant(seconds: 3))
  }

  // MARK: Nothing to rotate

  @Test func `there is nothing to rotate without a rotatable panel`() {
    var fixed = Self.panel
    fixed.supportedTransforms = [.none]
    var inactive = Self.panel
    inactive.isActive = false
    #expect(!Self.machine(Self.panel).hasNothingToRotate)
    #expect(Self.machine(fixed).hasNothingToRotate)
    #expect(!Self.machine(inactive).hasNothingToRotate, "it may be on later")
    #expect(Self.machine().hasNothingToRotate)
  }

  /// A rotation to the lock waits for the first report of the focused app.
  @Test func `waiting for the focused app is not blamed on touch`() {
    var settings = Settings()
    settings.rules = [ApplicationRule(source: "", matches: ["mpv"], supported: [.landscape])]
    var machine = Autorotator(settings: settings, lock: .left)
    let status = Self.status(machine.handle(.outputsChanged([Self.panel]), at: Instant(seconds: 0)))
    #expect(status?.interface == .normal && status?.reasons == [.locked(.left, nil)])
  }

  // MARK: Refusals

  private static func refusals(_ actions: [Action]) -> [String] {
    actions.compactMap { action in if case .refuse(let why) = action { "\(why)" } else { nil } }
  }

  @Test func `where the desktop rotates nothing else does`() {
    var machine = Self.machine(Self.panel)
    let desktop = Message(.desktopRotates, "the desktop rotates the screen")
    _ = machine.handle(.desktopRotates(desktop), at: Instant(seconds: 1))
    #expect(
      Self.refusals(machine.handle(.command(.rotate(.to(.left), output: nil)), at: Instant(seconds: 2))) == [
        "\(desktop)"
      ])
  }

  /// The device orientation is no restriction.
  @Test func `a refusal repeats only the restrictions`() {
    var machine = Self.machine(Self.panel)
    var settings = Settings()
    settings.supported = [.landscape]
    settings.rules = [ApplicationRule(source: "player.toml:1", matches: ["player"], supported: [.normal])]
    _ = machine.handle(.settingsChanged(settings), at: Instant(seconds: 0))
    _ = machine.handle(.deviceRotated(.leftUp), at: Instant(seconds: 0.1))
    let player = Window(id: 1, identifiers: ["player"])
    _ = machine.handle(.focusChanged(player), at: Instant(seconds: 1))
    _ = machine.handle(.deadlineReached, at: Instant(seconds: 2))
    let request = OrientationRequest(id: 1, mask: [.normal], application: "game", why: "for fun")
    _ = machine.handle(.requestAdded(request), at: Instant(seconds: 2))
    let refusals = Self.refusals(
      machine.handle(.command(.rotate(.to(.left), output: nil)), at: Instant(seconds: 3)))
    let narrowing: [Reason] = [
      .desktopAllows(OrientationMask(.normal).union(OrientationMask(.inverted))),
      .ruleAllows(OrientationMask(.normal), application: "player", source: "player.toml:1"),
      .requestAllows(OrientationMask(.normal), request),
    ]
    #expect(
      refusals == [
        (["Not allowed now: left edge up. Allowed: landscape."]
          + narrowing.map { $0.message(on: .landscape).description }).joined(
            separator: " ")
      ]
    )
  }

  @Test func `the last sixteen focused apps are known`() {
    var machine = Self.machine(Self.panel)
    for number in 0..<16 {
      let window = Window(id: UInt64(number), identifiers: ["app\(number)"])
      _ = machine.handle(.focusChanged(window), at: Instant(seconds: Double(number)))
    }
    let lock = { (name: String) in Event.command(.lock(.to(.normal), until: .focus(application: name))) }
    #expect(Self.refusals(machine.handle(lock("app0"), at: Instant(seconds: 20))).isEmpty)
    let another = Window(id: 99, identifiers: ["another"])
    _ = machine.handle(.focusChanged(another), at: Instant(seconds: 21))
    #expect(Self.refusals(machine.handle(lock("app0"), at: Instant(seconds: 22))).count == 1)
    #expect(Self.refusals(machine.handle(lock("app1"), at: Instant(seconds: 22))).isEmpty)
  }

  // MARK: Defaults

  @Test func `the sensors of the screen are used by default`() {
    let sensors = AccelerometerSettings()
    #expect(sensors.usesGyroscope && !sensors.readsBase)
    #expect(sensors.hingeAngles == 160...200)
  }

  @Test func `a default situation is that of a new machine`() {
    let situation = Situation()
    #expect(situation.decide() == Autorotator().situation.decide())
    var locked = situation
    locked.lock = Lock(orientation: .left)
    let player = ApplicationRule(source: "player.toml:1", matches: ["player"], supported: [.normal])
    locked.rule = player
    #expect(locked.decide().orientation == .normal, "an application overrides the lock by default")
  }
}
