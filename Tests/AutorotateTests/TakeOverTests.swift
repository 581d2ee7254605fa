// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Temporary
import Testing

@testable import autorotate

/// The setting that the button of a notification writes.
@MainActor struct TakeOverTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var directories: ConfigurationDirectories {
    ConfigurationDirectories(user: directory["autorotate"], administrator: [], shipped: [])
  }

  private func settings() throws -> String {
    String(decoding: try SettingsFile(path: directory["autorotate/config.toml"]).found() ?? [], as: UTF8.self)
  }

  @Test func `the setting is added and the rest kept`() throws {
    try directory.write(
      "# mine\n[display]\noutput = \"eDP-1\"\n#take-over = false\n", to: "autorotate/config.toml")
    #expect(try TakeOver.write(directories).contains("was written"))
    #expect(
      try settings() == "# mine\n[display]\noutput = \"eDP-1\"\n#take-over = false\ntake-over = true\n")
  }

  @Test func `a missing settings file is created`() throws {
    _ = try TakeOver.write(directories)
    #expect(try settings().contains("[display]\ntake-over = true\n"))
  }

  @Test func `a broken file is not changed`() throws {
    try directory.write("[display\n", to: "autorotate/config.toml")
    let failure = #expect(throws: Message.self) { try TakeOver.write(directories) }
    #expect(try settings() == "[display\n")
    #expect(failure?.description.contains("by hand") == true)
  }

  @Test func `without a home the next step is reported`() {
    let nowhere = ConfigurationDirectories(user: nil, administrator: [], shipped: [])
    let failure = #expect(throws: Message.self) { try TakeOver.write(nowhere) }
    #expect(failure?.description.contains("HOME") == true)
  }
}
