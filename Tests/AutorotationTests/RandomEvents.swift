// SPDX-License-Identifier: MIT

@testable import Autorotation

/// Random events, with little regard to what makes sense.
struct RandomEvents {
  var random: SeededGenerator
  private(set) var settings = Settings()
  private var nextWindow: UInt64 = 1

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// - Parameter asked: the last rotation that was announced or applied.
  mutating func next(at now: Instant, asked: Rotation?) -> Event {
    switch number(0..<30) {
    case 0..<6: .motion(MotionSample(acceleration(), rate: chance(2) ? rate() : nil))
    case 6..<10: .deviceRotated(pick(DeviceOrientation.allCases))
    case 10: chance(2) ? .sensorFound(name: "sensor") : .sensorLost(pick(["It broke.", "It went."]))
    case 11: .touchBegan
    case 12, 13: .touchEnded
    case 14:
      chance(2)
        ? .postureEvidence(evidence())
        : .hingeChanged(HingeReading(pick(Posture.allCases), isCertain: chance(2)))
    case 15, 16: .focusChanged(window())
    case 17: chance(2) ? .requestAdded(request()) : .playersChanged(players())
    case 18: .requestsRemoved(ids: [UInt32(number(0..<4))])
    case 19: .command(.lock(wish(), until: lockEnd()))
    case 20:
      pick([
        .command(.unlock), .command(.unlock), .command(.toggleLock), .command(.unlockOnce(.seconds(1))),
        .command(.setPosture(.auto)), .command(.setPosture(.tablet)), .command(.setPosture(.tent)),
        .command(.acceptSuggestion), .declineSuggestion, .command(.rotate(wish() ?? .next, output: nil)),
      ])
    case 21: .command(.rotate(.to(pick(InterfaceOrientation.allCases)), output: nil))
    case 22: .command(.hold(chance(3)))
    case 23: .outputsChanged(outputs())
    case 24, 25: answer(to: asked)
    case 26:
      chance(2)
        ? .displayPowerChanged(isOn: !chance(6))
        : pick([
          .sessionChanged(isActive: !chance(6)), .sessionChanged(isActive: true), .windowsListed(nil),
        ])
    case 27: .settingsChanged(changedSettings())
    case 28 where chance(4):
      chance(3)
        ? .desktopAnswered(isIntentional: chance(2))
        : .desktopRotates(chance(3) ? "The desktop rotates." : nil)
    case 28: pick([.suspended, .resumed, .resumed, .resumed])
    default: .deadlineReached
    }
  }

  /// One in ten answers is for an earlier rotation, or missing.
  private mutating func answer(to asked: Rotation?) -> Event {
    var rotation = asked ?? Rotation(from: .normal, to: .left, outputs: ["eDP-1"], width: 800, height: 1280)
    if chance(10) { rotation.number &-= 1 }
    return pick([
      .readyToRotate(rotation), .readyToRotate(rotation), .rotationFinished(rotation),
      .rotationFailed(rotation, "No."), .rotationFailed(rotation, Message(.rotationUnanswered, "Silence.")),
    ])
  }

  private mutating func wish() -> RotationTarget? {
    chance(3) ? pick([.next, .previous, .landscape, .portrait]) : orientation().map(RotationTarget.to)
  }

  private mutating func orientation() -> InterfaceOrientation? {
    chance(2) ? nil : pick(InterfaceOrientation.allCases)
  }

  private mutating func acceleration() -> Acceleration {
    let axis = [0, 9.81, -9.81, 0.1, -5, .nan, 1e9]
    return Acceleration(x: pick(axis), y: pick(axis), z: pick(axis))
  }

  private mutating func rate() -> AngularRate {
    let axis = [0, 0.1, -3, 34, .nan, -.infinity]
    return AngularRate(x: pick(axis), y: pick(axis), z: pick(axis))
  }

  private mutating func evidence() -> PostureEvidence {
    let kinds: [PostureInput.Kind] = [.tabletSwitch, .tabletSwitch, .keys, .dock, .keyboard]
    let words = (0..<number(0..<4)).map { _ in
      (
        PostureInput(kind: pick(kinds), name: pick(["a", "b"]), node: pick(["1", "2"])),
        pick(Posture.allCases)
      )
    }
    return PostureEvidence(Dictionary(words) { $1 }, isLidClosed: chance(4))
  }

  private mutating func words() -> [OrientationName] {
    (0..<number(0..<3)).map { _ in pick(OrientationName.allCases) }
  }

  private mutating func window() -> Window? {
    guard !chance(5) else { return nil }
    return Window(
      id: UInt64(number(1..<6)), role: chance(5) ? .auxiliary : .application,
      identifiers: chance(9) ? [] : [pick(["mpv", "reader", "krita", "xterm"])], isFullscreen: chance(2),
      output: chance(2) ? nil : pick(["eDP-1", "HDMI-1"]), declared: chance(4) ? words() : nil,
      process: chance(2) ? nil : Int32(number(1..<4)))
  }

  private mutating func players() -> [Player] {
    (0..<number(0..<3)).map { id in
      Player(
        id: "\(id)", names: [pick(["mpv", "reader", ""])],
        processes: chance(2) ? [] : [Int32(number(1..<4)), 1],
        isSandboxProxy: chance(4), status: pick([.playing, .playing, .paused, .stopped]))
    }
  }

  private mutating func request() -> OrientationRequest {
    OrientationRequest(
      id: UInt32(number(0..<4)), mask: words(), application: "app", why: "",
      whileFocused: pick([nil, nil, "mpv", "*"]))
  }

  private mutating func lockEnd() -> LockEnd<Duration>? {
    pick([
      nil, nil, .unfolded, .focus(application: "mp*"), .time(.milliseconds(number(-100..<5_000))),
      .time(.seconds(Int64.max)),
    ])
  }

  mutating func outputs() -> [Output] {
    let mounts: [PanelMount] = [.topUp, .leftSideUp, .upsideDown, .rightSideUp]
    let transforms: [Set<DisplayTransform>] = [.all, .all, .all, [.none], [.none, .rotated180]]
    return ["eDP-1", "HDMI-1", "DP-2"].compactMap { name in
      guard !chance(name == "eDP-1" ? 8 : 2) else { return nil }
      var output = Output(
        name: name, isBuiltIn: name == "eDP-1", isExternal: name == "HDMI-1", isActive: !chance(6),
        x: pick([0, 0, 1280, -800]), y: pick([0, 0, 800]), width: 1280, height: pick([800, 1920]))
      output.mount = name == "eDP-1" ? pick(mounts) : .topUp
      output.supportedTransforms = pick(transforms)
      output.transform = pick(DisplayTransform.allCases.filter(output.supportedTransforms.contains))
      return output
    }
  }

  mutating func changedSettings() -> Settings {
    settings.supported = chance(2) ? [.all] : words()
    settings.rotateIn = pick(Settings.RotateIn.allCases)
    settings.laptopOrientation = pick(InterfaceOrientation.allCases)
    settings.output = OutputChoice(chance(5) ? [pick(["HDMI-1", "DP-9"])] : [])
    settings.panelMount = chance(5) ? pick([.leftSideUp, .upsideDown]) : nil
    settings.lockOverApps = chance(2)
    settings[lockIn: .tablet] = pick([.keep, .keep, .free, .locked, .remember, .to(.left)])
    settings.locks[.tent] = pick([nil, nil, .keep, .locked, .remember, .to(.inverted)])
    settings.locks[.stand] = pick([nil, nil, .free, .to(.normal)])
    settings.watchesShape = chance(2)
    settings[lockIn: .laptop] = pick([.keep, .keep, .remember, .to(.normal)])
    settings.tabletSwitch = pick([.automatic, .automatic, .none, .named("a"), .named("*")])
    settings.suggestsWhileLocked = chance(2)
    settings.rules = ["mpv", "reader", "krita"].map { rule(for: $0) }
    return settings
  }

  private mutating func rule(for application: String) -> ApplicationRule {
    ApplicationRule(
      source: "\(application).toml", matches: [application], fullscreen: pick([nil, nil, true, false]),
      postures: pick([nil, nil, [.tablet], [.tent, .stand], [.laptop]]), playing: pick([nil, true, false]),
      supported: chance(3) ? nil : words(), preferred: orientation(), autoRotate: !chance(4))
  }
}
