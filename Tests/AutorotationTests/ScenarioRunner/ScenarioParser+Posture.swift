// SPDX-License-Identifier: MIT

import Autorotation

// What tells of the posture.
extension ScenarioParser {
  mutating func readPosture(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    switch keyword {
    case "posture":
      let posture = try words.raw("a posture", Posture.self)
      happens(at: time) { $0.changePosture { $0 = Self.honest(posture) } }
    case "lid":
      let isClosed = try words.choice("open or closed", ["open": false, "closed": true])
      happens(at: time) { $0.changePosture { $0.isLidClosed = isClosed } }
    case "hinge":
      let word = HingeWord(try words.raw("what it says", Posture.self), isSure: !words.take("unsure"))
      tell(.hingeTold(word), at: time)
    default: try readWitness(keyword, &words, at: time)
    }
  }

  /// What a switch and a dock say that do not lie.
  static func honest(_ posture: Posture) -> PostureEvidence {
    let isDocked = posture == .docked
    return PostureEvidence([
      PostureWitness(kind: .tabletSwitch, name: "honest switch"): isDocked ? .laptop : posture,
      PostureWitness(kind: .dock, name: "honest dock"): isDocked ? .docked : .unknown,
    ])
  }

  private mutating func readWitness(_ keyword: String, _ words: inout Words, at time: Instant) throws {
    var flapping = words
    if let (witness, _) = try? Self.witness(keyword, &flapping, says: ["flaps": nil]) {
      words = flapping
      return try readFlapping(of: witness, &words, at: time)
    }
    let (witness, word) = try Self.witness(keyword, &words)
    happens(at: time) { $0.changePosture { $0.words[witness] = word } }
  }

  /// `NAME [of DRIVER] [at NODE] on|off|gone`; keys say `tablet`, `laptop` or are `silent`.
  static func witness(
    _ keyword: String, _ words: inout Words, says: KeyValuePairs<String, Posture?>? = nil
  ) throws -> (PostureWitness, Posture?) {
    guard let kind = PostureWitness.Kind(rawValue: keyword) else {
      throw words.mistake("'\(keyword)' is not known")
    }
    var witness = PostureWitness(kind: kind, name: try words.next("its name"))
    if words.take("of") { witness.driver = try words.next("its driver") }
    if words.take("at") { witness.node = try words.next("its node") }
    let meanings: KeyValuePairs<String, Posture?> = [
      "on": kind == .dock ? .docked : Posture.tablet, "off": kind == .dock ? .unknown : .laptop,
      "tablet": .tablet, "laptop": .laptop, "silent": .unknown, "gone": nil,
      "attached": .laptop, "detached": .tablet,
    ]
    return (witness, try words.choice("what it says", says ?? meanings))
  }

  /// `flaps N times a second for T`.
  private mutating func readFlapping(
    of witness: PostureWitness, _ words: inout Words, at time: Instant
  ) throws {
    let rate = try words.number("how often")
    try words.expect("times")
    try words.expect("a")
    try words.expect("second")
    try words.expect("for")
    let start = Instant(nanoseconds: 0)
    let count = Int(rate * (start + (try words.duration("a time"))).seconds(since: start))
    for number in 0..<count {
      let word: Posture = number.isMultiple(of: 2) ? .tablet : .laptop
      happens(at: time + .nanoseconds(Int64(Double(number) / rate * 1e9))) {
        $0.changePosture { $0.words[witness] = word }
      }
    }
  }
}
