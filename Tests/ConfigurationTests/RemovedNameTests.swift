// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration

struct RemovedNameTests {
  @Test(arguments: ["\"first\"", "\"always\"", "\"never\"", "\"nonsense\"", "3", "[]"])
  func `a removed key gives one warning and has no effect`(_ value: String) throws {
    let files = ["/etc/config.toml", "/home/config.toml"].map { path in
      ConfigurationFile(
        path: path, kind: .settings, layer: .user, text: "[display]\nconfirm = \(value)\ntake-over = true\n")
    }
    let read = Configuration.read(Array(files.prefix(1)))
    let warning = try #require(read.diagnostics.first)
    #expect(read.diagnostics.count == 1)
    #expect(
      warning.headline.description
        == "/etc/config.toml:2:1: warning: display.confirm has been removed: rotations are no longer undone")
    #expect(warning.advice?.description == "Delete this line.")
    #expect(!read.hasErrors)
    #expect(read.places == ["display.take-over": "/etc/config.toml:3"])
    #expect(Configuration.read(files).diagnostics.map(\.path) == files.map(\.path))
  }

  @Test func `the removed key for touch near pens gives a warning`() throws {
    let file = ConfigurationFile(
      path: "/etc/config.toml", kind: .settings, layer: .user, text: "[touch]\noff-near-pen = true\n")
    let read = Configuration.read([file])
    #expect(
      read.diagnostics.map(\.headline.description) == [
        "/etc/config.toml:2:1: warning: touch.off-near-pen has been removed: "
          + "libinput 1.24 or later ignores touch near a pen"
      ])
    #expect(!read.hasErrors)
    #expect(read.places.isEmpty)
  }

  @Test(arguments: [
    "confirm", "display.confirm", "[display] confirm", "off-near-pen", "[touch] off-near-pen",
  ])
  func `a removed key is found by each of its spellings`(_ name: String) {
    #expect(RemovedName(name) != nil)
    #expect(throws: Message.self) { try SettingKey(named: name) }
  }

  @Test(arguments: ["desktop.confirm", "firm", "", "display.", "display.take-over"])
  func `no other name is taken for a removed one`(_ name: String) {
    #expect(RemovedName(name) == nil)
  }
}
