// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration

struct SettingsEditTests {
  static let matrix = MountMatrix([0, 1, 0, -1, 0, 0, 0, 0, 1]) ?? .identity
  static let line = "mount-matrix = \"0, 1, 0; -1, 0, 0; 0, 0, 1\""

  private func edited(_ text: String) throws -> String {
    let key = try SettingKey(named: "sensor.mount-matrix")
    let bytes = try SettingsEdit(key: key, words: [Self.matrix.text], path: "config.toml").applied(
      to: Array(text.utf8))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text before and after; % is replaced by the assignment.
  static let cases = [
    ("", "[sensor]\n%\n"),
    ("# mine\n", "# mine\n\n[sensor]\n%\n"),
    ("[lock]\nover-apps = true", "[lock]\nover-apps = true\n\n[sensor]\n%\n"),
    ("[sensor]\nrate = 20 # fast\n\n[lock]\n", "[sensor]\n%\nrate = 20 # fast\n\n[lock]\n"),
    (
      "[sensor]\n# How it is built in.\n  #mount-matrix = \"auto\"\n\n#rate = \"auto\"\n",
      "[sensor]\n# How it is built in.\n  #mount-matrix = \"auto\"\n%\n\n#rate = \"auto\"\n"
    ),
    (
      "[sensor]\n# another-keys = 1\n#mount-matrix = \"auto\"\n",
      "[sensor]\n# another-keys = 1\n#mount-matrix = \"auto\"\n%\n"
    ),
    ("[sensor]\n[lock]\n#mount-matrix = 1\n", "[sensor]\n%\n[lock]\n#mount-matrix = 1\n"),
    ("[sensor]", "[sensor]\n%"),
    ("\u{FEFF}[sensor]\nrate = 20\n", "\u{FEFF}[sensor]\n%\nrate = 20\n"),
    ("[sensor]\r\nrate = 20\r\n", "[sensor]\r\n%\r\nrate = 20\r\n"),
    ("[touch]\r\n", "[touch]\r\n\r\n[sensor]\r\n%\r\n"),
    (
      "[sensor]\n  mount-matrix=\"auto\" # ☃ to do\n",
      "[sensor]\n  mount-matrix=\"0, 1, 0; -1, 0, 0; 0, 0, 1\" # ☃ to do\n"
    ),
    (
      "[sensor]\nmount-matrix = \"\"\"1, 0, 0;\n0, 1, 0;\n0, 0, 1\"\"\"\nrate = 20\n",
      "[sensor]\n%\nrate = 20\n"
    ),
    ("sensor = { rate = 20 }\n", "sensor = { %, rate = 20 }\n"),
    ("sensor = {}\n", "sensor = { % }\n"),
    ("sensor.rate = 20\nlock.over-apps = true\n", "sensor.%\nsensor.rate = 20\nlock.over-apps = true\n"),
    ("sensor.mount-matrix = 'auto'\n", "sensor.%\n"),
  ]

  @Test(arguments: cases)
  func `an edit changes nothing else`(_ before: String, _ after: String) throws {
    #expect(try edited(before) == after.replacing("%", with: Self.line))
  }

  @Test(arguments: cases)
  func `an edited file has the wanted value`(_ before: String, _: String) throws {
    let file = ConfigurationFile(path: "config.toml", kind: .settings, layer: .user, text: try edited(before))
    let configuration = Configuration.read([file])
    #expect(configuration.machine.accelerometer.mountMatrix == Self.matrix)
    #expect(!configuration.hasErrors)
  }

  @Test(arguments: cases)
  func `a directory listed twice is read once`(_ before: String, _: String) throws {
    let once = try edited(before)
    #expect(try edited(once) == once)
  }

  @Test(arguments: ["[sensor", "[sensor]\nrate = 1000\n", "[sensr]\n", "[sensor]\nrate = 20\nrate = 20\n"])
  func `a broken file is refused`(_ text: String) {
    let failure = #expect(throws: Message.self) { try edited(text) }
    let start = "nothing was written: first fix this\n\nconfig.toml:"
    #expect(failure?.description.hasPrefix(start) == true)
  }
}
