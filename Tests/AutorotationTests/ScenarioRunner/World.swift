// SPDX-License-Identifier: MIT

import Autorotation

/// The rest of the program and of the machine it runs on, as far as a scenario needs it: a sensor that
/// says nothing while asleep, displays that do what they are told, and somebody who is told of turns.
struct World {
  /// What an occurrence in the world tells the Autorotator.
  typealias Occurrence = (inout World) -> [Event]

  var settings = Settings()
  var savedLock: InterfaceOrientation?
  var savedLockMemories: [Posture: LockMemory] = [:]
  var savedTurns: [String: InterfaceOrientation] = [:]
  var outputs: [Output] = []
  var posture = PostureEvidence()
  /// Whether the display system reports at the start that no window has the focus.
  var reportsFocus = true
  /// Whether the desktop that turns the picture by itself leaves it as it is on purpose.
  var desktopStays = false

  /// How long others take before a turn; `nil` for ever.
  var hooks: Duration? = .zero
  /// How long the display system takes for each turn, the last one for all that follow; `nil` for ever.
  var turning: [Duration?] = [.zero]
  var failuresLeft = 0
  /// Until when it is at work: it does one turn after the other.
  private var isBusyUntil = Instant(nanoseconds: 0)

  var hasSensor = true
  /// How long a woken sensor takes for its first word; `nil` for ever.
  var waking: Duration? = .milliseconds(100)
  var demand = SensorDemand.off
  /// How the device is really held, if the scenario says so.
  var held: DeviceOrientation?

  /// Those that tell what they play, and whether the program listens.
  private var players: [String: Player] = [:]
  private var isHeard = false

  /// What the program hears before anything happens.
  var opening: [Event] {
    (hasSensor ? [.sensorFound(name: "accelerometer")] : []) + [.outputsChanged(outputs)]
      + (reportsFocus ? [.focusChanged(nil)] : [])
      + (posture.words.isEmpty ? [] : [.postureEvidence(posture)])
  }

  mutating func hold(_ orientation: DeviceOrientation) -> [Event] {
    held = orientation
    return word
  }

  mutating func tell(_ id: String, _ player: Player?) -> [Event] {
    players[id] = player
    return isHeard ? [.playersChanged(players.values.sorted { $0.id < $1.id })] : []
  }

  /// - Returns: what is told of players, once the program begins to listen.
  mutating func listen(_ isHeard: Bool) -> [Event] {
    guard isHeard != self.isHeard else { return [] }
    self.isHeard = isHeard
    return players.isEmpty || !isHeard ? [] : [.playersChanged(players.values.sorted { $0.id < $1.id })]
  }

  mutating func change(_ change: (inout Settings) -> Void) -> [Event] {
    change(&settings)
    return [.settingsChanged(settings)]
  }

  mutating func changeOutputs(_ change: (inout [Output]) -> Void) -> [Event] {
    change(&outputs)
    return [.outputsChanged(outputs)]
  }

  mutating func changePosture(_ change: (inout PostureEvidence) -> Void) -> [Event] {
    change(&posture)
    return [.postureEvidence(posture)]
  }

  /// How the output that is turned is built in, by the settings or the display system.
  func mount(for action: Action) -> PanelMount {
    guard case .apply(let rotation, _) = action else { return .topUp }
    return settings.panelMount ?? outputs.first { $0.name == rotation.output }?.mount ?? .topUp
  }

  /// What follows from what the Autorotator does, and when.
  mutating func answer(_ action: Action, at now: Instant) -> (Instant, Occurrence)? {
    switch action {
    case .setSensor(let new): wake(from: demand, to: new).map { (now + $0, $1) }
    case .willRotate(let rotation): hooks.map { (now + $0, { _ in [.readyToRotate(rotation)] }) }
    case .apply(let rotation, let turns):
      endOfTurn(begunAt: now).map { ($0, { $0.apply(rotation, turns) }) }
    case .turnOutput(let turn): (now, { $0.apply(turn) })
    case .askDesktop: (now, { [.desktopAnswered(staysOnPurpose: $0.desktopStays)] })
    case .didRotate, .postureChanged, .repair, .suggest, .saveLock, .saveLockMemories, .saveTurns,
      .report, .refuse, .publish:
      nil
    }
  }

  private mutating func wake(from before: SensorDemand, to new: SensorDemand) -> (Duration, Occurrence)? {
    demand = new
    guard before == .off else { return nil }
    return waking.map { ($0, { $0.word }) }
  }

  /// What a sensor that is awake says.
  var word: [Event] {
    guard hasSensor, demand != .off, let held else { return [] }
    return [.deviceTurned(held)]
  }

  /// - Returns: `nil` if it never ends.
  private mutating func endOfTurn(begunAt now: Instant) -> Instant? {
    let duration = turning.count > 1 ? turning.removeFirst() : turning[0]
    guard let duration else { return nil }
    isBusyUntil = max(isBusyUntil, now) + duration
    return isBusyUntil
  }

  private mutating func apply(_ turn: PanelTurn) -> [Event] {
    guard let index = outputs.firstIndex(where: { $0.name == turn.output }), failuresLeft == 0 else {
      failuresLeft = max(0, failuresLeft - 1)
      return [.outputNotTurned(turn, "The display system refused.")]
    }
    outputs[index].transform = turn.transform
    return [.outputTurned(turn), .outputsChanged(outputs)]
  }

  private mutating func apply(_ rotation: Rotation, _ turns: [PanelTurn]) -> [Event] {
    for turn in turns where !outputs.contains(where: { $0.name == turn.output }) {
      return [.rotationFailed(rotation, "There is no \(turn.output).")]
    }
    if failuresLeft > 0 {
      failuresLeft -= 1
      return [.rotationFailed(rotation, "The display system refused.")]
    }
    for index in outputs.indices {
      outputs[index].transform =
        turns.first { $0.output == outputs[index].name }?.transform ?? outputs[index].transform
    }
    return [.rotationFinished(rotation), .outputsChanged(outputs)]
  }
}
