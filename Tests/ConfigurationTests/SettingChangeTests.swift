// SPDX-License-Identifier: MIT

import Autorotation
import Mutations
import System
import Testing

@testable import Configuration

/// Setting and removing any key of a config.toml, as typed by a user.
struct SettingChangeTests {
  private func set(_ name: String, _ words: String..., in text: String = "") throws -> String {
    let key = try SettingKey(named: name)
    let bytes = try SettingsEdit(key: key, words: words, path: "/x/config.toml").applied(to: Array(text.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }

  private func unset(_ name: String, in text: String) throws -> String {
    let key = try SettingKey(named: name)
    let bytes = try SettingsEdit(key: key, words: nil, path: "/x/config.toml").applied(to: Array(text.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("rotate-in", ["tablet"], "[desktop]\nrotate-in = \"tablet\"\n"),
    ("[desktop] rotate-in", ["\"tablet\""], "[desktop]\nrotate-in = \"tablet\"\n"),
    ("desktop.supported", ["left,right"], "[desktop]\nsupported = [\"left\", \"right\"]\n"),
    ("desktop.supported", ["left", "right"], "[desktop]\nsupported = [\"left\", \"right\"]\n"),
    ("desktop.supported", ["['left']"], "[desktop]\nsupported = ['left']\n"),
    ("desktop.supported", ["landscape"], "[desktop]\nsupported = \"landscape\"\n"),
    ("touch.ignore", ["[]"], "[touch]\nignore = []\n"),
    ("touch.ignore", ["A \"B\" \\ C\u{7}"], "[touch]\nignore = \"A \\\"B\\\" \\\\ C\\u0007\"\n"),
    ("touch.ignore", ["A\u{1B}"], "[touch]\nignore = \"A\\u001b\"\n"),
    ("sensor.rate", ["20"], "[sensor]\nrate = 20\n"),
    ("tablet.keyboard", ["20"], "[tablet]\nkeyboard = \"20\"\n"),
    ("on-screen-keyboard", ["wvkbd -L 300"], "[tablet]\non-screen-keyboard = \"wvkbd -L 300\"\n"),
    ("touch.map", ["{ a = 'eDP-2' }"], "[touch]\nmap = { a = 'eDP-2' }\n"),
    ("touch.map", ["*A=B*=eDP-2"], "[touch]\nmap = { \"*A=B*\" = \"eDP-2\" }\n"),
    ("touch.map", ["a=eDP-1", "b = eDP-2"], "[touch]\nmap = { \"a\" = \"eDP-1\", \"b\" = \"eDP-2\" }\n"),
    ("touch.map", ["\"=eDP-2"], "[touch]\nmap = { \"\\\"\" = \"eDP-2\" }\n"),
    (
      "on-screen-keyboard", ["wvkbd", "-L", "300"],
      "[tablet]\non-screen-keyboard = [\"wvkbd\", \"-L\", \"300\"]\n"
    ),
  ])
  func `a typed value is converted to the files form`(_ name: String, _ words: [String], _ text: String)
    throws
  {
    let key = try SettingKey(named: name)
    let bytes = try SettingsEdit(key: key, words: words, path: "/x/config.toml").applied(to: [])
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    ("display.output", ["eDP-1,eDP-2"], "[display]\noutput = [\"eDP-1\", \"eDP-2\"]\n"),
    ("display.output", ["eDP-1,"], "[display]\noutput = [\"eDP-1\"]\n"),
    ("touch.ignore", ["a*, b c*"], "[touch]\nignore = [\"a*\", \"b c*\"]\n"),
    ("touch.ignore", ["a,", "b"], "[touch]\nignore = [\"a\", \"b\"]\n"),
    ("touch.devices", ["a*,b*"], "[touch]\ndevices = [\"a*\", \"b*\"]\n"),
    ("tablet.devices", ["auto,b*"], "[tablet]\ndevices = [\"auto\", \"b*\"]\n"),
    (
      "desktop.supported", ["left,right", "normal"],
      "[desktop]\nsupported = [\"left\", \"right\", \"normal\"]\n"
    ),
    ("touch.devices", ["Wacom Pen"], "[touch]\ndevices = \"Wacom Pen\"\n"),
    ("touch.devices", ["[\"Wacom, Inc. Pen\"]"], "[touch]\ndevices = [\"Wacom, Inc. Pen\"]\n"),
    ("on-screen-keyboard", ["wvkbd -H 1,2"], "[tablet]\non-screen-keyboard = \"wvkbd -H 1,2\"\n"),
    (
      "on-screen-keyboard", ["wvkbd", "-H", "1,2"],
      "[tablet]\non-screen-keyboard = [\"wvkbd\", \"-H\", \"1,2\"]\n"
    ),
  ])
  func `commas separate the values of a list only`(_ name: String, _ words: [String], _ text: String) throws {
    let key = try SettingKey(named: name)
    let bytes = try SettingsEdit(key: key, words: words, path: "/x/config.toml").applied(to: [])
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }

  @Test func `a comment that stays loses the blanks behind it`() throws {
    #expect(try unset("sensor.rate", in: "[sensor]\nrate = 20 # fast \t \n") == "[sensor]\n# fast\n")
    #expect(try unset("sensor.rate", in: "[sensor]\r\nrate = 20 # fast \r\n") == "[sensor]\r\n# fast\r\n")
  }

  @Test(arguments: [
    ("sensor.rate", "1000"), ("sensor.rate", "fast"), ("display.take-over", "yes"),
    ("rotate-in", "sometimes"),
    ("rotate-in", ""), ("rotate-in", "tablet\"\n[lock]\nover-apps = true\n#"), ("sensor.rate", "20\nx = 1"),
    ("sensor.rate", "20 # so"), ("touch.map", "{"), ("touch.map", "eDP-1"), ("touch.map", "a="),
    ("touch.map", "=b"), ("desktop.supported", "[]"),
  ])
  func `an invalid value is refused before writing`(_ name: String, _ value: String) {
    let failure = #expect(throws: Message.self) { try set(name, value) }
    #expect(failure?.code == .commandMistaken)
    #expect(failure?.next != nil)
  }

  @Test(arguments: ["rotatein", "desktop.rotat-in", "[desktop] rotatein"])
  func `an unknown key gets a suggestion`(_ name: String) {
    let failure = #expect(throws: Message.self) { try SettingKey(named: name) }
    #expect(failure?.description.contains("did you mean desktop.rotate-in?") == true)
  }

  @Test(arguments: [
    ("gyroscop", "sensor.gyroscope"), ("tablet.on-screen-keyboart", "tablet.on-screen-keyboard"),
  ])
  func `a mistyped key is answered with the nearest`(_ name: String, _ meant: String) {
    let failure = #expect(throws: Message.self) { try SettingKey(named: name) }
    #expect(failure?.description.contains("did you mean \(meant)?") == true)
  }

  @Test(arguments: [["125", "140"], ["125,140"], ["[125, 140]"]])
  func `the angles of the hinge are typed as words or a list`(_ words: [String]) throws {
    let key = try SettingKey(named: "hinge-angles")
    let bytes = try SettingsEdit(key: key, words: words, path: "/x/config.toml").applied(to: [])
    let file = ConfigurationFile(path: "config.toml", kind: .settings, layer: .user, content: .bytes(bytes))
    #expect(Configuration.read([file]).machine.accelerometer.hingeAngles == 125...140)
  }

  @Test func `an ambiguous key is refused`() {
    let failure = #expect(throws: Message.self) { try SettingKey(named: "devices") }
    #expect(failure?.description.contains("touch.devices, tablet.devices") == true)
  }

  @Test func `comments in a list are kept`() throws {
    let before =
      "[touch]\n  # all\n  ignore = [ # mice\n    \"a#b\", # the first\n    'c',\r\n# last\n  ] # so\n"
    let after = "[touch]\n  # all\n  # mice\n  # the first\n  # last\n  ignore = \"d\" # so\n"
    #expect(try set("touch.ignore", "d", in: before) == after)
    let without = "[touch]\n  # all\n  # mice\n  # the first\n  # last\n  # so\n"
    #expect(try unset("touch.ignore", in: before) == without)
  }

  @Test(arguments: [
    ("[sensor]\nrate = 20\n[lock]\n", "[lock]\n"),
    ("[sensor]\r\n\r\nrate = 20\r\n\r\n  [lock]\r\n", "  [lock]\r\n"),
    ("[sensor] # mine\nrate = 20\n", "[sensor] # mine\n"),
    ("[sensor]\nrate = 20\n# mine\n", "[sensor]\n# mine\n"),
    ("[sensor]\n\trate = 20 # slow\nsource = \"iio\"", "[sensor]\n\t# slow\nsource = \"iio\""),
    ("[sensor]\nrate = 20", ""),
    ("sensor.rate = 20\nlock.over-apps = true\n", "lock.over-apps = true\n"),
    ("sensor . \"rate\" = 20\r\n# mine\r\n", "# mine\r\n"),
    ("sensor = { rate = 20 }\n", "sensor = {  }\n"),
    ("sensor = { rate = 20, source = 'iio' }\n", "sensor = { source = 'iio' }\n"),
    ("sensor = { source = 'iio', rate = 20 } # x\n", "sensor = { source = 'iio' } # x\n"),
    ("\u{FEFF}sensor.rate = 20\n", "\u{FEFF}"),
    ("# nothing\n", "# nothing\n"),
    ("", ""),
  ])
  func `removing a key keeps the rest`(_ before: String, _ after: String) throws {
    #expect(try unset("sensor.rate", in: before) == after)
  }

  @Test(arguments: ["[touch.map]\na = \"eDP-2\"\n", "touch.map.a = \"eDP-2\"\n"])
  func `a file that cannot be edited safely is unchanged`(_ text: String) {
    let failure = #expect(throws: Message.self) { try set("touch.map", "{ b = 'eDP-1' }", in: text) }
    #expect(failure?.description.contains("is laid out in a way that is better edited by hand") == true)
  }

  @Test(arguments: SettingKey.all)
  func `every word of a key is valid`(_ key: SettingKey) throws {
    for word in key.words where word != "replay:FILE" {
      let bytes = try SettingsEdit(key: key, words: [word], path: "/x/config.toml").applied(to: [])
      let file = ConfigurationFile(
        path: "/x/config.toml", kind: .settings, layer: .user, content: .bytes(bytes))
      let text = key.text(Configuration.read([file]))
      #expect(text == word || ["normal", "all"].contains(word), "\(key.name)")
    }
  }

  @Test(arguments: SettingKey.all)
  func `every key accepts its example and its shown value`(_ key: SettingKey) throws {
    let example = try #require(key.example.split(separator: " = ", maxSplits: 1).last)
    let text = try key.text(read(key, String(example)))
    #expect(try key.text(read(key, text)) == text)
  }

  @Test(arguments: [
    ("on-screen-keyboard", String(repeating: "k", count: 70)), ("on-screen-keyboard", "kbd -L 300 #f"),
    ("on-screen-keyboard", #"["kbd", "--font", "Sans 20"]"#),
    ("on-screen-keyboard", #"["kbd", "--colour", "1 # 2"]"#),
    ("touch.devices", #"["Wacom, Inc. Pen", "1 # 2"]"#), ("touch.devices", "A, B C"),
    ("touch.map", #"{ "Wacom, Inc. Pen" = "eDP-1" }"#), ("touch.map", "A B = eDP-1, C* = eDP-2"),
    ("tablet.keyboard", String(repeating: "k", count: 70)),
  ])
  func `a value is shown whole and accepted as shown`(_ name: String, _ typed: String) throws {
    let key = try SettingKey(named: name)
    let value = try read(key, typed)
    #expect(key.text(value) == typed)
    #expect(try read(key, key.text(value)) == value)
  }

  private func read(_ key: SettingKey, _ word: String) throws -> Configuration {
    let bytes = try SettingsEdit(key: key, words: [word], path: "/x/config.toml").applied(to: [])
    let file = ConfigurationFile(
      path: "/x/config.toml", kind: .settings, layer: .user, content: .bytes(bytes))
    return Configuration.read([file])
  }

  @Test func `every list of words belongs to a key`() throws {
    #expect(try SettingKey(named: "rotate-in").words == ["always", "tablet"])
    #expect(try SettingKey(named: "take-over").words == ["true", "false"])
    #expect(try SettingKey(named: "desktop.supported").words.contains("landscape"))
    #expect(try SettingKey(named: "lock.tent").words.contains("tablet"))
  }

  /// Any file is refused, or has the wanted value afterwards and all of its comments.
  @Test func `no file loses anything in a change`() throws {
    let run = MutationRun(usual: 3_000)
    var changed = 0
    let keys = try ["touch.ignore", "sensor.rate", "rotate-in"].map { try SettingKey(named: $0) }
    let values = [["a", "b"], ["30"], ["tablet"]]
    var number = 0
    run.feed(Self.seeds, tokens: Self.tokens) { bytes in
      number += 1
      let index = number % keys.count
      let words: [String]? = number % 2 == 0 ? values[index] : nil
      guard let new = Self.changed(bytes, keys[index], words) else { return }
      changed += 1
      #expect(
        Self.comments(new).isSuperset(of: Self.comments(bytes)), "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(changed > run.count / 50)
  }

  private static func changed(_ bytes: [UInt8], _ key: SettingKey, _ words: [String]?) -> [UInt8]? {
    try? SettingsEdit(key: key, words: words, path: "/x/config.toml").applied(to: bytes)
  }

  /// Comments on lines of their own; none if a text over several lines may look like one.
  private static func comments(_ bytes: [UInt8]) -> Set<String> {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.contains("\"\"\""), !text.contains("'''") else { return [] }
    let lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { String($0).trimmed }
    return Set(lines.filter { $0.hasPrefix("#") })
  }

  private static let seeds = [
    "# mine\n[desktop]\n# where\nrotate-in = \"always\" # so\n\n[touch]\nignore = [\n  # mice\n  \"a\",\n]\n# end\n",
    "sensor.rate = 20\n# mine\ntouch = { ignore = [\"a\"], devices = \"auto\" }\n",
    "[sensor]\r\n# slow\r\nrate = 20\r\n[lock]\r\n#over-apps = true\r\n",
  ].map { Array($0.utf8) }

  private static let tokens = [
    "[", "]", "{", "}", ",", "#", "\n", "\r\n", "\"", "'", "# x\n", "rate = 5", "ignore", "\u{FEFF}", "é",
    "\\",
    "[touch]\n", "[sensor]\n", " ", "\t", "= [\n# y\n'z']\n", "\u{2028}", "\u{85}", "\u{1F600}",
  ]
}
