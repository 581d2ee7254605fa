// SPDX-License-Identifier: MIT

import Autorotation

/// The rest of the program and of the machine it runs on, as far as a scenario needs it: a sensor that
/// says nothing while asleep, displays that do what they are told, and somebody who is told of turns.
struct World {
  /// What an occurrence in the world tells the Autorotator.
  typealias Occurrence = (inout World) -> [Event]

  var settings = Settings()
  var savedLock: InterfaceOrientation?
  var outputs: [Output] = []

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

  /// What the program hears before anything happens.
  var opening: [Event] {
    (hasSensor ? [.sensorFound(name: "accelerometer")] : []) + [.outputsChanged(outputs)]
  }

  mutating func hold(_ orientation: DeviceOrientation) -> [Event] {
    held = orientation
    return word
  }

  mutating func change(_ change: (inout Settings) -> Void) -> [Event] {
    change(&settings)
    return [.settingsChanged(settings)]
  }

  mutating func changeOutputs(_ change: (inout [Output]) -> Void) -> [Event] {
    change(&outputs)
    return [.outputsChanged(outputs)]
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
    case .apply(let rotation, let transform):
      endOfTurn(begunAt: now).map { ($0, { $0.apply(rotation, transform) }) }
    case .didRotate, .suggest, .saveLock, .report, .refuse, .publish: nil
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

  private mutating func apply(_ rotation: Rotation, _ transform: DisplayTransform) -> [Event] {
    guard let index = outputs.firstIndex(where: { $0.name == rotation.output }) else {
      return [.rotationFailed(rotation, "There is no \(rotation.output).")]
    }
    if failuresLeft > 0 {
      failuresLeft -= 1
      return [.rotationFailed(rotation, "The display system refused.")]
    }
    outputs[index].transform = transform
    return [.rotationFinished(rotation), .outputsChanged(outputs)]
  }
}
