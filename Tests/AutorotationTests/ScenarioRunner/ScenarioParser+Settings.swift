// SPDX-License-Identifier: MIT

import Autorotation

// The settings and rules of a scenario, under the names they have in config.toml.
extension ScenarioParser {
  static func setting(from words: inout Words) throws -> (inout Settings) -> Void {
    switch try words.next("a setting") {
    case "supported": return keep(\.supported, try words.mask())
    case "rotate-in": return keep(\.rotateIn, try words.raw("always or tablet", Settings.RotateIn.self))
    case "laptop-orientation": return keep(\.laptopOrientation, try words.orientation())
    case "output": return keep(\.output, try outputs(&words))
    case "rotate-with-external": return keep(\.rotatesWithExternal, try words.yesOrNo())
    case "panel-mount": return keep(\.panelMount, words.take("auto") ? nil : try mount(&words))
    case "switch": return keep(\.tabletSwitch, TabletSwitchChoice(try words.next("auto, none or a name")))
    case "keyboard": return keep(\.keyboard, try words.next("a name"))
    case "lock-over-apps": return keep(\.lockOverApps, try words.yesOrNo())
    case "lock-tablet": return keep(\.[lockIn: .tablet], try postureLock(&words))
    case "lock-tent": return keep(\.locks[.tent], words.take("tablet") ? nil : try postureLock(&words))
    case "lock-stand": return keep(\.locks[.stand], words.take("tablet") ? nil : try postureLock(&words))
    case "watches-shape": return keep(\.watchesShape, try words.yesOrNo())
    case "lock-laptop": return keep(\.[lockIn: .laptop], try postureLock(&words))
    case "lock-docked": return keep(\.[lockIn: .docked], try postureLock(&words))
    case "suggest-while-locked": return keep(\.suggestsWhileLocked, try words.yesOrNo())
    case let word: throw words.mistake("'\(word)' is not a setting")
    }
  }

  /// `auto`, or `NAME[,NAME…]`.
  private static func outputs(_ words: inout Words) throws -> OutputChoice {
    if words.take("auto") { return OutputChoice() }
    return OutputChoice(try words.next("an output's name").split(separator: ",").map(String.init))
  }

  private static func postureLock(_ words: inout Words) throws -> PostureLock {
    let plain: [String: PostureLock] = [
      "keep": .keep, "free": .free, "locked": .locked, "remember": .remember,
    ]
    if let word = plain.keys.first(where: { words.take($0) }) { return plain[word] ?? .keep }
    return .to(try words.orientation())
  }

  static func keep<Value>(
    _ path: WritableKeyPath<Settings, Value>, _ value: Value
  ) -> (inout Settings) -> Void {
    { $0[keyPath: path] = value }
  }

  /// `NAME[,NAME…]`, then keys and values in any order.
  static func rule(from words: inout Words) throws -> ApplicationRule {
    let names = try words.next("an application").split(separator: ",").map(String.init)
    var rule = ApplicationRule(source: "apps/\(names[0]).toml", matches: names)
    while !words.isDone {
      switch try words.next("a key") {
      case "supported": rule.supported = try words.mask()
      case "preferred": rule.preferred = try words.orientation()
      case "title": rule.titles = try words.next("titles").split(separator: ",").map(String.init)
      case "fullscreen": rule.fullscreen = try words.yesOrNo()
      case "playing": rule.playing = try words.yesOrNo()
      case "posture": rule.postures = try postures(&words)
      case "auto-rotate": rule.autoRotate = try words.yesOrNo()
      case "layer": rule.layer = try layer(&words)
      case let word: throw words.mistake("'\(word)' is not a key of a rule")
      }
    }
    if rule.layer != .user { rule.source = "\(rule.layer) \(rule.source)" }
    return rule
  }

  private static func postures(_ words: inout Words) throws -> [Posture] {
    try words.next("a posture").split(separator: ",").map { word in
      guard let posture = Posture(rawValue: String(word)) else {
        throw words.mistake("'\(word)' is no posture")
      }
      return posture
    }
  }

  private static func layer(_ words: inout Words) throws -> ApplicationRule.Layer {
    try words.choice("a layer", ["user": .user, "administrator": .administrator, "shipped": .shipped])
  }
}
