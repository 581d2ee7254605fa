// SPDX-License-Identifier: MIT

import Autorotation

// Events of the sensor and the displays.
extension ScenarioParser {
  mutating func readSensor(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    switch keyword {
    case "acceleration": schedule(.acceleration(try Self.acceleration(&words)), at: time)
    case "held": try readSamples(of: try Self.gravity(&words), &words, at: time)
    case "zeros": try readSamples(of: Acceleration(x: 0, y: 0, z: 0), &words, at: time)
    default: try readPresence(&words, at: time)
    }
  }

  private mutating func readPresence(_ words: inout Words, at time: Instant) throws {
    switch try words.next("found or lost") {
    case "found":
      let name = words.isDone ? "accelerometer" : words.restOfLine()
      schedule(at: time) {
        $0.hasSensor = true
        return [.sensorFound(name: name)] + $0.sensorReport
      }
    case "lost":
      let reason = words.isDone ? "The sensor has gone." : words.restOfLine()
      schedule(at: time) {
        $0.hasSensor = false
        return [.sensorLost(Message(.sensorRemoved, Phrase(verbatim: reason)))]
      }
    case let word: throw words.mistake("a sensor is found or lost, not '\(word)'")
    }
  }

  private static func acceleration(_ words: inout Words) throws -> Acceleration {
    Acceleration(
      x: try words.number("x in m/s²"), y: try words.number("y in m/s²"), z: try words.number("z in m/s²"))
  }

  /// The acceleration of a device at rest in this orientation.
  private static func gravity(_ words: inout Words) throws -> Acceleration {
    let g = 9.80665
    return switch try words.raw("a way to hold the device", DeviceOrientation.self) {
    case .normal: Acceleration(x: 0, y: -g, z: 0)
    case .leftUp: Acceleration(x: g, y: 0, z: 0)
    case .bottomUp: Acceleration(x: 0, y: g, z: 0)
    case .rightUp: Acceleration(x: -g, y: 0, z: 0)
    case .faceUp: Acceleration(x: 0, y: 0, z: g)
    case .faceDown: Acceleration(x: 0, y: 0, z: -g)
    case .unknown: throw words.mistake("'unknown' has no acceleration")
    }
  }

  /// `for TIME [at RATE hz]`.
  private mutating func readSamples(of a: Acceleration, _ words: inout Words, at time: Instant) throws {
    try words.expect("for")
    let length = try words.duration("a time")
    var rate = 50.0
    if words.take("at") {
      rate = try words.number("a rate")
      try words.expect("hz")
    }
    let count = Int((Double(length.wholeNanoseconds) / 1e9 * rate).rounded())
    for sample in 0..<count { schedule(.acceleration(a), at: time + .seconds(Double(sample) / rate)) }
  }

  // MARK: Displays

  mutating func readOutputs(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    switch keyword {
    case "plug":
      let isReset = words.take("resetting")
      let new = try Self.output(from: &words)
      schedule(at: time) { $0.changeOutputs { $0 = Self.relaidOut($0, isReset) + [new] } }
    case "unplug":
      let name = try words.next("an output")
      let isReset = words.take("resetting")
      schedule(at: time) { $0.changeOutputs { $0 = Self.relaidOut($0, isReset).filter { $0.name != name } } }
    case "output":
      let name = try words.next("an output")
      let changes = try Self.changes(&words)
      changeOutput(name, at: time) { output in for change in changes { change(&output) } }
    default:
      let shown = try words.orientation()
      let name = words.take("on") ? try words.next("an output") : "eDP-1"
      changeOutput(name, at: time) { $0.transform = DisplayTransform(showing: shown, on: $0.mount) }
    }
  }

  /// Changes that are applied to an output together.
  private static func changes(_ words: inout Words) throws -> [(inout Output) -> Void] {
    var changes: [(inout Output) -> Void] = []
    while !words.isDone {
      switch try words.next("a change of the output") {
      case "scale":
        let scale = try words.number("a scale")
        changes.append { $0.scale = scale }
      case "at":
        let (x, y) = (Int(try words.number("x")), Int(try words.number("y")))
        changes.append { ($0.x, $0.y) = (x, y) }
      case "mode":
        guard let size = words.take(Words.size) else {
          throw words.mistake("a mode is a size such as 1920x1080")
        }
        changes.append { ($0.width, $0.height) = size }
      case "showing":
        let shown = try words.orientation()
        changes.append { $0.transform = DisplayTransform(showing: shown, on: $0.mount) }
      case "on":
        changes.append {
          $0.isActive = true
          $0.switchOnFailure = nil
        }
      case "off": changes.append { $0.isActive = false }
      case "lost":
        changes.append {
          $0.isActive = false
          $0.switchOnFailure = Message(.outputNotRestored, "\($0.name) is off")
        }
      case let word: throw words.mistake("'\(word)' is not a change of an output")
      }
    }
    return changes
  }

  /// Some display systems reset every rotation when a display comes or goes.
  private static func relaidOut(_ outputs: [Output], _ isReset: Bool) -> [Output] {
    outputs.map { output in
      var output = output
      if isReset { output.transform = .none }
      return output
    }
  }

  private mutating func changeOutput(
    _ name: String, at time: Instant, _ change: @escaping (inout Output) -> Void
  ) {
    schedule(at: time) { world in
      world.changeOutputs { outputs in
        for index in outputs.indices where outputs[index].name == name { change(&outputs[index]) }
      }
    }
  }
}
