// SPDX-License-Identifier: MIT

import Autorotation

// The initial state of the world.
extension ScenarioParser {
  mutating func readSetUp(_ words: inout Words) throws {
    switch try words.next("a set-up line") {
    case "panel": try setPanel(&words)
    case "output": scenario.world.outputs.append(try Self.output(from: &words))
    case "setting": try Self.setting(from: &words)(&scenario.world.settings)
    case "rule": scenario.world.settings.rules.append(try Self.rule(from: &words))
    case "start":
      if words.take("rotation") {
        let name = try words.next("an output")
        scenario.world.savedRotations[name] = try words.orientation()
      } else if words.take("memory") {
        let posture = try words.raw("a posture", Posture.self)
        scenario.world.savedPostureLocks[posture] =
          words.take("free") ? .free : .to(try words.orientation())
      } else if words.take("focus") {
        try words.expect("unknown")
        scenario.world.reportsFocus = false
      } else {
        try words.expect("lock")
        scenario.world.savedLock = try words.orientation()
      }
    case "hooks": scenario.world.hooks = try Self.durationOrNever(&words)
    case "rotation": try setRotationTimes(&words)
    case "sensor": try setSensor(&words)
    case let kind where PostureInput.Kind(rawValue: kind) != nil:
      let (input, posture) = try Self.input(kind, &words)
      scenario.world.posture.postures[input] = posture
    case let word: throw words.mistake("'\(word)' is neither a time nor a set-up line")
    }
  }

  private mutating func setPanel(_ words: inout Words) throws {
    scenario.world.outputs.removeFirst()
    guard !words.take("none") else { return }
    scenario.world.outputs.insert(try Self.panel(from: words), at: 0)
    _ = words.restOfLine()
  }

  /// `landscape|portrait|WxH` and what `describe` knows.
  static func panel(from words: Words) throws -> Output {
    var words = words
    let sizes = ["landscape": (width: 1280, height: 800), "portrait": (width: 800, height: 1280)]
    guard let size = words.take({ sizes[$0] ?? Words.size($0) }) else {
      throw words.mistake("the panel is landscape, portrait, a size such as 1920x1200, or none")
    }
    var panel = Output(name: "eDP-1", isBuiltIn: true, width: size.width, height: size.height)
    try describe(&panel, &words)
    return panel
  }

  static func output(from words: inout Words) throws -> Output {
    var output = Output(
      name: try words.next("the output's name"), isBuiltIn: false, isExternal: true, width: 1920, height: 1080
    )
    if let size = words.take(Words.size) { (output.width, output.height) = size }
    try describe(&output, &words)
    return output
  }

  private static func describe(_ output: inout Output, _ words: inout Words) throws {
    var shown = InterfaceOrientation.normal
    var isPlain = true
    while !words.isDone {
      switch try words.next("a property of the output") {
      case "mounted":
        output.mount = try mount(&words)
        isPlain = false
      case "showing":
        shown = try words.orientation()
        isPlain = false
      case "at": (output.x, output.y) = (Int(try words.number("x")), Int(try words.number("y")))
      case "no-rotation": output.supportedTransforms = [.none]
      case "half-turns": output.supportedTransforms = [.none, .rotated180]
      case "built-in": (output.isBuiltIn, output.isExternal) = (true, false)
      case "virtual": output.isExternal = false
      case "off": output.isActive = false
      case let word: throw words.mistake("'\(word)' is not a property of an output")
      }
    }
    if !isPlain { output.transform = DisplayTransform(showing: shown, on: output.mount) }
  }

  static func mount(_ words: inout Words) throws -> PanelMount {
    try words.choice(
      "a mount",
      [
        "top-up": .topUp, "left-side-up": .leftSideUp, "upside-down": .upsideDown,
        "right-side-up": .rightSideUp,
      ])
  }

  private static func durationOrNever(_ words: inout Words) throws -> Duration? {
    words.take("never") ? nil : try words.duration("a time or never")
  }

  private mutating func setRotationTimes(_ words: inout Words) throws {
    switch try words.next("takes, fails or never") {
    case "takes":
      scenario.world.rotationTimes = [try words.duration("a time")]
      while words.take("then") { scenario.world.rotationTimes.append(try words.duration("a time")) }
    case "fails":
      scenario.world.failuresLeft = Int(try words.number("how often"))
      try words.expect("times")
    case "never":
      try words.expect("answers")
      scenario.world.rotationTimes = [nil]
    case let word:
      throw words.mistake("'rotation' takes a time, fails N times or never answers, not '\(word)'")
    }
  }

  private mutating func setSensor(_ words: inout Words) throws {
    guard !words.take("none") else {
      scenario.world.hasSensor = false
      return
    }
    try words.expect("wakes")
    if words.take("never") {
      scenario.world.wakeUpTime = nil
    } else {
      try words.expect("in")
      scenario.world.wakeUpTime = try words.duration("a time")
    }
  }
}
