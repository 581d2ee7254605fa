// SPDX-License-Identifier: MIT

import Autorotation

/// A key of config.toml: its name, a line that is right, and how its value is read.
struct SettingKey: Sendable {
  let section: String
  let name: String
  let example: String
  private let reader: @Sendable (TomlNode, String, inout ValueReader) -> Setting?

  private init(
    _ section: String, _ name: String, _ value: String,
    read: @escaping @Sendable (TomlNode, String, inout ValueReader) -> Setting?
  ) {
    self.section = section
    self.name = name
    example = "\(name) = \(value)"
    reader = read
  }

  func read(_ node: TomlNode, with values: inout ValueReader) -> Setting? {
    reader(node, example, &values)
  }

  /// Every key there is, in the order of the shipped config.toml.
  static let all = desktop + sensor + display + touch + tablet + others

  static let sections = all.map(\.section).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }

  private static let desktop = [
    Self("desktop", "supported", "[\"landscape\", \"left\"]") { node, example, values in
      values.words(node, Vocabulary.orientations, example: example).map(Setting.supported)
    },
    Self("desktop", "rotate-in", "\"tablet\"") { node, example, values in
      values.word(node, Vocabulary.rotateIn, example: example).map(Setting.rotateIn)
    },
    Self("desktop", "laptop-orientation", "\"normal\"") { node, example, values in
      values.word(node, Vocabulary.orientation, example: example).map(Setting.laptopOrientation)
    },
  ]

  private static let sensor = [
    Self("sensor", "source", "\"auto\"") { node, example, values in
      values.sensorSource(node, example: example).map(Setting.sensorSource)
    },
    Self("sensor", "mount-matrix", "\"1, 0, 0; 0, 1, 0; 0, 0, 1\"") { node, example, values in
      values.mountMatrix(node, example: example)
    },
    Self("sensor", "rate", "20") { node, example, values in values.sensorRate(node, example: example) },
  ]

  private static let display = [
    Self("display", "output", "\"eDP-1\"") { node, example, values in
      values.text(node, expected: "the name of an output", example: example)
        .map { .output($0 == "auto" ? nil : $0) }
    },
    Self("display", "panel-mount", "\"top-up\"") { node, example, values in
      values.word(node, Vocabulary.panelMounts, example: example).map(Setting.panelMount)
    },
    Self("display", "take-over", "true") { node, example, values in
      values.boolean(node, example: example).map(Setting.takesOver)
    },
  ]

  private static let touch = [
    Self("touch", "devices", "[\"ELAN*\", \"Wacom*Pen*\"]") { node, example, values in
      values.texts(node, expected: "the name of a device", example: example)
        .map { .touchDevices($0 == ["auto"] ? nil : $0) }
    },
    Self("touch", "ignore", "[\"*Mouse*\"]") { node, example, values in
      values.texts(node, mayBeEmpty: true, expected: "the name of a device", example: example)
        .map(Setting.ignoredTouchDevices)
    },
  ]

  private static let tablet = [
    Self("tablet", "disable-input", "true") { node, example, values in
      values.boolean(node, example: example).map(Setting.disablesInput)
    },
    Self("tablet", "devices", "[\"auto\", \"*Folio Keyboard*\"]") { node, example, values in
      values.texts(node, expected: "the name of a device", example: example).map(Setting.disabledDevices)
    },
    Self("tablet", "on-screen-keyboard", "\"wvkbd-mobintl -L 300\"") { node, example, values in
      values.command(node, example: example).map(Setting.onScreenKeyboard)
    },
  ]

  private static let others = [
    Self("lock", "over-apps", "true") { node, example, values in
      values.boolean(node, example: example).map(Setting.lockOverApps)
    },
    Self("hooks", "enabled", "false") { node, example, values in
      values.boolean(node, example: example).map(Setting.runsHooks)
    },
    Self("notifications", "suggest-rotation", "true") { node, example, values in
      values.boolean(node, example: example).map(Setting.suggestsRotation)
    },
    Self("notifications", "errors", "false") { node, example, values in
      values.boolean(node, example: example).map(Setting.notifiesOfErrors)
    },
  ]
}

extension ValueReader {
  fileprivate mutating func sensorSource(
    _ node: TomlNode, example: String
  ) -> MachineSettings.SensorSource? {
    guard case .text(let text) = node.value, text.hasPrefix("replay:") else {
      return word(node, Vocabulary.sensorSources, example: example)
    }
    let file = String(text.dropFirst("replay:".count))
    guard !file.isEmpty, !file.contains("\0") else {
      report(at: node.place, "replay: names no file", advice: "Write source = \"replay:/path/of/trace.csv\"")
      return nil
    }
    let isAbsolute = file.hasPrefix("/")
    return .replay(path: isAbsolute ? file : source.directory + file)
  }

  fileprivate mutating func mountMatrix(_ node: TomlNode, example: String) -> Setting? {
    guard let text = text(node, expected: "a matrix as text", example: example) else { return nil }
    if text == "auto" { return .mountMatrix(nil) }
    if let matrix = MountMatrix(text: text) { return .mountMatrix(matrix) }
    report(
      at: node.place, "not a matrix of three rows of three numbers, or one that loses a direction",
      advice: "Write \(example) (; between rows, as in udev's ACCEL_MOUNT_MATRIX), or \"auto\"")
    return nil
  }

  fileprivate mutating func sensorRate(_ node: TomlNode, example: String) -> Setting? {
    let rate: Double
    switch node.value {
    case .integer(let value): rate = Double(value)
    case .number(let value): rate = value
    case .text("auto"): return .sensorRate(nil)
    default:
      report(
        at: node.place, "expected samples a second, found \(node.value.kind)",
        advice: "Write \(example), or \"auto\"")
      return nil
    }
    guard MachineSettings.sensorRates.contains(rate) else {
      report(at: node.place, "a rate is 4 to 100 samples a second", advice: "Write \(example), or \"auto\"")
      return nil
    }
    return .sensorRate(rate)
  }
}

extension ValueReader {
  /// A program and its arguments, as one text without any quotes or as a list of words; empty is none.
  fileprivate mutating func command(_ node: TomlNode, example: String) -> [String]? {
    if case .text(let text) = node.value, !text.contains("\0") {
      return text.split(separator: " ").map(String.init)
    }
    let words = texts(node, mayBeEmpty: true, expected: "a command", example: example)
    guard words?.contains(where: { $0.contains("\0") }) == true else { return words }
    report(at: node.place, "a command cannot hold a zero character", advice: "Write \(example)")
    return nil
  }
}

extension SourceText {
  /// With the slash, or empty.
  fileprivate var directory: String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
