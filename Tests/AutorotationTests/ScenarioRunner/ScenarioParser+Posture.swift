// SPDX-License-Identifier: MIT

import Autorotation

// Events of the posture inputs.
extension ScenarioParser {
  mutating func readPosture(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    switch keyword {
    case "posture":
      let posture = try words.raw("a posture", Posture.self)
      schedule(at: time) { $0.changePosture { $0 = Self.consistent(posture) } }
    case "lid":
      let isClosed = try words.choice("open or closed", ["open": false, "closed": true])
      schedule(at: time) { $0.changePosture { $0.isLidClosed = isClosed } }
    case "hinge":
      let reading = HingeReading(try words.raw("a posture", Posture.self), isCertain: !words.take("unsure"))
      schedule(.hingeChanged(reading), at: time)
    default: try readInput(keyword, &words, at: time)
    }
  }

  /// A switch and a dock that report the posture correctly.
  static func consistent(_ posture: Posture) -> PostureEvidence {
    let isDocked = posture == .docked
    return PostureEvidence([
      PostureInput(kind: .tabletSwitch, name: "consistent switch"): isDocked ? .laptop : posture,
      PostureInput(kind: .dock, name: "consistent dock"): isDocked ? .docked : .unknown,
    ])
  }

  private mutating func readInput(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    var flapping = words
    if let (input, _) = try? Self.input(keyword, &flapping, states: ["flaps": nil]) {
      words = flapping
      return try readFlapping(of: input, &words, at: time)
    }
    let (input, posture) = try Self.input(keyword, &words)
    schedule(at: time) { $0.changePosture { $0.postures[input] = posture } }
  }

  /// `NAME [of DRIVER] [at NODE] on|off|gone`; keys say `tablet`, `laptop` or are `silent`.
  static func input(
    _ keyword: String, _ words: inout Words, states: KeyValuePairs<String, Posture?>? = nil
  ) throws -> (PostureInput, Posture?) {
    guard let kind = PostureInput.Kind(rawValue: keyword) else {
      throw words.mistake("'\(keyword)' is not known")
    }
    var input = PostureInput(kind: kind, name: try words.next("its name"))
    if words.take("of") { input.driver = try words.next("its driver") }
    if words.take("at") { input.node = try words.next("its node") }
    let meanings: KeyValuePairs<String, Posture?> = [
      "on": kind == .dock ? .docked : Posture.tablet, "off": kind == .dock ? .unknown : .laptop,
      "tablet": .tablet, "laptop": .laptop, "silent": .unknown, "gone": nil,
      "attached": .laptop, "detached": .tablet,
    ]
    return (input, try words.choice("what it says", states ?? meanings))
  }

  /// `flaps N times a second for T`.
  private mutating func readFlapping(
    of input: PostureInput, _ words: inout Words, at time: Instant
  ) throws {
    let rate = try words.number("how often")
    try words.expect("times")
    try words.expect("a")
    try words.expect("second")
    try words.expect("for")
    let start = Instant(nanoseconds: 0)
    let count = Int(rate * (start + (try words.duration("a time"))).seconds(since: start))
    for number in 0..<count {
      let posture: Posture = number.isMultiple(of: 2) ? .tablet : .laptop
      schedule(at: time + .nanoseconds(Int64(Double(number) / rate * 1e9))) {
        $0.changePosture { $0.postures[input] = posture }
      }
    }
  }
}
