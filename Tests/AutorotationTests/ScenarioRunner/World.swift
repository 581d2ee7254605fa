// SPDX-License-Identifier: MIT

import Autorotation

/// Simulates the rest of the program and the machine, as far as scenarios need it: a sensor that is silent while
/// asleep, displays that follow commands, and hooks.
struct World {
  /// A change in the world, and the events that it causes.
  typealias WorldChange = (inout World) -> [Event]

  var settings = Settings()
  var savedLock: InterfaceOrientation?
  var savedPostureLocks: [Posture: PostureLock] = [:]
  var savedRotations: [String: InterfaceOrientation] = [:]
  var outputs: [Output] = []
  var posture = PostureEvidence()
  /// Whether the display system reports at the start that no window has the focus.
  var reportsFocus = true
  /// Whether a desktop with its own rotation keeps the orientation intentionally.
  var desktopStaysIntentionally = false

  /// How long hooks take before a rotation; `nil` for ever.
  var hooks: Duration? = .zero
  /// How long the display system takes for each rotation, the last one for all that follow; `nil` for ever.
  var rotationTimes: [Duration?] = [.zero]
  var failuresLeft = 0
  /// When the display system has finished all rotations so far: it applies one after the other.
  private var isBusyUntil = Instant(nanoseconds: 0)

  var hasSensor = true
  /// How long a woken sensor takes for its first report; `nil` for ever.
  var wakeUpTime: Duration? = .milliseconds(100)
  var demand = SensorDemand.off
  /// The true device orientation, if the scenario has one.
  var deviceOrientation: DeviceOrientation?

  /// The players, and whether the program wants to know of them.
  private var players: [String: Player] = [:]
  private var reportsPlayers = false

  /// The events at the start of the program.
  var initialEvents: [Event] {
    (hasSensor ? [.sensorFound(name: "accelerometer")] : []) + [.outputsChanged(outputs)]
      + (reportsFocus ? [.focusChanged(nil)] : [])
      + (posture.postures.isEmpty ? [] : [.postureEvidence(posture)])
  }

  mutating func setDeviceOrientation(_ orientation: DeviceOrientation) -> [Event] {
    deviceOrientation = orientation
    return sensorReport
  }

  mutating func update(_ id: String, _ player: Player?) -> [Event] {
    players[id] = player
    return reportsPlayers ? [.playersChanged(players.values.sorted { $0.id < $1.id })] : []
  }

  /// - Returns: the report of all players, once the program wants it.
  mutating func updatePlayerReports(_ reportsPlayers: Bool) -> [Event] {
    guard reportsPlayers != self.reportsPlayers else { return [] }
    self.reportsPlayers = reportsPlayers
    return players.isEmpty || !reportsPlayers
      ? [] : [.playersChanged(players.values.sorted { $0.id < $1.id })]
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

  /// The mount of the rotated output, by the settings or the display system.
  func mount(for action: Action) -> PanelMount {
    guard case .apply(let rotation, _) = action else { return .topUp }
    return settings.panelMount ?? outputs.first { $0.name == rotation.output }?.mount ?? .topUp
  }

  /// The world's reaction to an action, and when.
  mutating func answer(_ action: Action, at now: Instant) -> (Instant, WorldChange)? {
    switch action {
    case .setSensor(let new): wake(from: demand, to: new).map { (now + $0, $1) }
    case .willRotate(let rotation): hooks.map { (now + $0, { _ in [.readyToRotate(rotation)] }) }
    case .apply(let rotation, let changes):
      endOfRotation(begunAt: now).map { ($0, { $0.apply(rotation, changes) }) }
    case .rotateOutput(let change): (now, { $0.apply(change) })
    case .askDesktop: (now, { [.desktopAnswered(isIntentional: $0.desktopStaysIntentionally)] })
    case .didRotate, .postureChanged, .repair, .suggest, .saveLock, .savePostureLocks, .saveRotations,
      .report, .refuse, .publish:
      nil
    }
  }

  private mutating func wake(from before: SensorDemand, to new: SensorDemand) -> (Duration, WorldChange)? {
    demand = new
    guard before == .off else { return nil }
    return wakeUpTime.map { ($0, { $0.sensorReport }) }
  }

  /// The report of the sensor, if it is awake.
  var sensorReport: [Event] {
    guard hasSensor, demand != .off, let deviceOrientation else { return [] }
    return [.deviceRotated(deviceOrientation)]
  }

  /// - Returns: `nil` if it never ends.
  private mutating func endOfRotation(begunAt now: Instant) -> Instant? {
    let duration = rotationTimes.count > 1 ? rotationTimes.removeFirst() : rotationTimes[0]
    guard let duration else { return nil }
    isBusyUntil = max(isBusyUntil, now) + duration
    return isBusyUntil
  }

  private mutating func apply(_ change: PanelRotation) -> [Event] {
    guard let index = outputs.firstIndex(where: { $0.name == change.output }), failuresLeft == 0 else {
      failuresLeft = max(0, failuresLeft - 1)
      return [.outputAnswered(change, failure: "The display system refused.")]
    }
    outputs[index].transform = change.transform
    return [.outputAnswered(change, failure: nil), .outputsChanged(outputs)]
  }

  private mutating func apply(_ rotation: Rotation, _ changes: [PanelRotation]) -> [Event] {
    for change in changes where !outputs.contains(where: { $0.name == change.output }) {
      return [.rotationFailed(rotation, "There is no \(change.output).")]
    }
    if failuresLeft > 0 {
      failuresLeft -= 1
      return [.rotationFailed(rotation, "The display system refused.")]
    }
    for index in outputs.indices {
      outputs[index].transform =
        changes.first { $0.output == outputs[index].name }?.transform ?? outputs[index].transform
    }
    return [.rotationFinished(rotation), .outputsChanged(outputs)]
  }
}
