// SPDX-License-Identifier: MIT

import Autorotation

// Conditions at a time, by the last status before it.
extension ScenarioParser {
  mutating func readCheck(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    switch keyword {
    case "says": checkReasons(words.restOfLine(), words.line, at: time)
    case "shows": check(keyword, try words.orientation().word, words.line, at: time) { $0.interface.word }
    case "allows":
      check(keyword, words.restOfLine(), words.line, at: time) { $0.allowed.words.description }
    case "locked":
      let lock = words.take("nothing") ? "nothing" : try words.orientation().word
      check(keyword, lock, words.line, at: time) { $0.lock?.orientation.word ?? "nothing" }
    case "posture":
      check(keyword, try words.raw("a posture", Posture.self).rawValue, words.line, at: time) {
        $0.posture.rawValue
      }
    case "sensor": try checkSensor(&words, at: time)
    default: throw words.mistake("'\(keyword)' is not an expectation")
    }
  }

  private mutating func check(
    _ keyword: String, _ expected: String, _ line: Int, at time: Instant,
    _ actual: @escaping (Status) -> String
  ) {
    add("\(keyword) \(expected)", line, at: time) { snapshot in
      let found = snapshot.status.map(actual) ?? "no status"
      return found == expected ? nil : found
    }
  }

  private mutating func checkReasons(_ expected: String, _ line: Int, at time: Instant) {
    add("says \(expected)", line, at: time) { snapshot in
      let reasons = snapshot.status?.messages.map(\.description).joined(separator: " ") ?? ""
      return reasons.contains(expected) ? nil : reasons
    }
  }

  private mutating func checkSensor(_ words: inout Words, at time: Instant) throws {
    if words.take("asleep") {
      add("sensor asleep", words.line, at: time) { snapshot in
        if case .found(_, isAsleep: true)? = snapshot.status?.sensor { return nil }
        return "\(snapshot.demand)"
      }
    } else if words.take("awake") {
      add("sensor awake", words.line, at: time) { $0.demand == .off ? "off" : nil }
    } else {
      let demand = try words.choice(
        "a rate of the sensor", ["off": SensorDemand.off, "resting": .resting, "following": .following])
      add("sensor \(demand)", words.line, at: time) { $0.demand == demand ? nil : "\($0.demand)" }
    }
  }

  private mutating func add(
    _ text: String, _ line: Int, at time: Instant, _ failure: @escaping (Expectations.Snapshot) -> String?
  ) {
    scenario.expected.checks.append(.init(line: line, time: time, text: text, failure: failure))
  }
}
