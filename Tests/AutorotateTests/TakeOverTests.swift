// SPDX-License-Identifier: MIT

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

  private func takesOver(after text: String?) throws -> (message: String, bytes: String) {
    if let text { try directory.write(text, to: "autorotate/config.toml") }
    let user = directory["autorotate"]
    let message = TakeOver.write(ConfigurationDirectories(user: user, administrator: [], shipped: []))
    let bytes = try SettingsFile(path: "\(user)/config.toml").found() ?? []
    return (message, String(decoding: bytes, as: UTF8.self))
  }

  @Test func `the setting is added and the rest kept`() throws {
    let found = try takesOver(after: "# mine\n[display]\noutput = \"eDP-1\"\n#take-over = false\n")
    #expect(found.bytes == "# mine\n[display]\noutput = \"eDP-1\"\n#take-over = false\ntake-over = true\n")
    #expect(found.message.contains("was written"))
  }

  @Test func `a missing settings file is created`() throws {
    #expect(try takesOver(after: nil).bytes.contains("[display]\ntake-over = true\n"))
  }

  @Test func `a broken file is not changed`() throws {
    let found = try takesOver(after: "[display\n")
    #expect(found.bytes == "[display\n")
    #expect(found.message.contains("by hand"))
  }

  @Test func `without a home the next step is reported`() {
    let nowhere = ConfigurationDirectories(user: nil, administrator: [], shipped: [])
    #expect(TakeOver.write(nowhere).contains("HOME"))
  }
}
