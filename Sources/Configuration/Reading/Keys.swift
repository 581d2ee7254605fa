// SPDX-License-Identifier: MIT

import Autorotation

extension Configuration {
  /// All keys of config.toml, in the order of the shipped file: section, name, property, form of the value, and
  /// example. Everything else that needs the keys uses this list.
  static let keys: [Key<Self>] = [
    Key("desktop", "supported", \.settings.supported, .words(Word.orientations), #"["landscape", "left"]"#),
    Key("desktop", "rotate-in", \.settings.rotateIn, .word(Word.rotateIn), #""tablet""#),
    Key("desktop", "laptop-orientation", \.settings.laptopOrientation, .word(Word.orientation), #""normal""#),
    Key("desktop", "rotate-with-external", \.settings.rotatesWithExternal, Form.boolean, "false"),

    Key("sensor", "source", \.machine.sensorSource, Form.sensorSource, #""auto""#),
    Key(
      "sensor", "device", \.machine.accelerometer.device, .auto("auto", or: Form.device), #""iio:device1""#),
    Key(
      "sensor", "mount-matrix", \.machine.accelerometer.mountMatrix, Form.mountMatrix,
      #""1, 0, 0; 0, 1, 0; 0, 0, 1""#),
    Key(
      "sensor", "base-mount-matrix", \.machine.accelerometer.baseMountMatrix, Form.mountMatrix,
      #""1, 0, 0; 0, 1, 0; 0, 0, 1""#),
    Key("sensor", "rate", \.machine.accelerometer.rate, Form.sensorRate, "20"),
    Key("sensor", "gyroscope", \.machine.accelerometer.usesGyroscope, .word(Word.gyroscope), #""off""#),

    Key("display", "output", \.settings.output, Form.outputs, #""eDP-1""#),
    Key("display", "panel-mount", \.settings.panelMount, .word(Word.panelMount), #""top-up""#),
    Key("display", "take-over", \.machine.takesOver, Form.boolean, "true"),

    Key(
      "touch", "devices", \.machine.touchDevices, .auto(["auto"], or: Form.devices),
      #"["ELAN*", "Wacom*Pen*"]"#),
    Key("touch", "ignore", \.machine.ignoredTouchDevices, Form.devicesOrNone, #"["*Mouse*"]"#),
    Key("touch", "map", \.machine.touchMap, Form.touchMap, #"{ "*RAYD0002*" = "eDP-2" }"#),

    Key("tablet", "switch", \.settings.tabletSwitch, Form.tabletSwitch, #""Intel HID switches""#),
    Key("tablet", "keyboard", \.settings.keyboard, .auto("none", or: Form.keyboard), #""*Type Cover*""#),
    Key("tablet", "hinge-angles", \.machine.accelerometer.hingeAngles, Form.hingeAngles, "[125, 140]"),
    Key("tablet", "disable-input", \.machine.disablesInput, Form.boolean, "true"),
    Key("tablet", "devices", \.machine.disabledDevices, Form.devices, #"["auto", "*Folio Keyboard*"]"#),
    Key("tablet", "on-screen-keyboard", \.machine.onScreenKeyboard, Form.command, #""wvkbd-mobintl -L 300""#),

    Key("lock", "over-apps", \.settings.lockOverApps, Form.boolean, "true"),
    Key("lock", "tablet", \.settings[lockIn: .tablet], .word(Word.postureLock), #""free""#),
    Key("lock", "tent", \.settings.locks[Posture.tent], .word(Word.foldedLock), #""inverted""#),
    Key("lock", "stand", \.settings.locks[Posture.stand], .word(Word.foldedLock), #""normal""#),
    Key("lock", "laptop", \.settings[lockIn: .laptop], .word(Word.postureLock), #""normal""#),
    Key("lock", "docked", \.settings[lockIn: .docked], .word(Word.postureLock), #""normal""#),

    Key("hooks", "enabled", \.machine.runsHooks, Form.boolean, "false"),

    Key("notifications", "suggest-rotation", \.settings.suggestsWhileLocked, Form.boolean, "true"),
    Key("notifications", "errors", \.machine.notifiesOfErrors, Form.boolean, "false"),
  ]

  static let sections = keys.map(\.section).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
}

extension ApplicationRule {
  /// All keys of a rule.
  static let keys: [Key<Self>] = [
    Key("", "match", \.matches, Form.names(expected: "the name of an app"), #"["mpv", "io.mpv.Mpv"]"#),
    Key("", "title", \.titles, .optional(Form.names(expected: "the title of a window")), #""*YouTube*""#),
    Key("", "fullscreen", \.fullscreen, .optional(Form.boolean), "true"),
    Key("", "posture", \.postures, .optional(.words(Word.posture)), #"["tent", "stand"]"#),
    Key("", "playing", \.playing, .optional(Form.boolean), "true"),
    Key("", "supported", \.supported, .optional(.words(Word.orientations)), #"["landscape"]"#),
    Key("", "preferred", \.preferred, .optional(.word(Word.orientation)), #""normal""#),
    Key("", "auto-rotate", \.autoRotate, Form.boolean, "false"),
  ]
}

/// A key of a file of settings, with a property of `Root`.
package struct Key<Root: Sendable>: Sendable, Equatable {
  /// Empty for a file without sections.
  package let section: String
  package let name: String
  /// A complete valid line.
  package let example: String
  /// The property of its value, unique to the key.
  let path: any PartialKeyPath<Root> & Sendable
  /// Reads a value, or logs its fault and changes nothing.
  let read: @Sendable (TomlNode, inout Root, inout DiagnosticLog) -> Bool
  let copy: @Sendable (_ source: Root, _ target: inout Root) -> Void
  /// The value as shown to the user.
  package let text: @Sendable (Root) -> String
  /// The valid words for completion; empty if any text is valid.
  package let words: [String]
  /// Whether commas separate several values on a command line.
  let isList: Bool

  fileprivate init<Value>(
    _ section: String, _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable,
    _ form: ValueForm<Value>, _ example: String
  ) {
    self.section = section
    self.name = name
    self.path = path
    let line = "\(name) = \(example)"
    self.example = line
    read = { node, root, log in
      guard let value = form.read(node, line, &log) else { return false }
      root[keyPath: path] = value
      return true
    }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    text = { form.text($0[keyPath: path]) }
    words = form.words
    isList = form.isList
  }

  package static func == (left: Self, right: Self) -> Bool { left.path == right.path }
}
