// SPDX-License-Identifier: MIT

import Temporary
import Testing

@testable import DesktopBackends

struct RemappedKeyboardsTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for (number, name, bus, keys) in [
      (1, "AT Translated Set 2 keyboard", "0011", "fffffffe"),
      (2, "keyd virtual keyboard", "0003", "fffffffe"),
      (3, "keyd virtual pointer", "0003", "0"), (4, "Some Keyboard", "0003", "fffffffe"),
    ] {
      try directory.write(name + "\n", to: "event\(number)/device/name")
      try directory.write(bus + "\n", to: "event\(number)/device/id/bustype")
      try directory.write(keys + "\n", to: "event\(number)/device/capabilities/key")
    }
  }

  /// keyd#475: the built-in keyboard was disabled, and typed all the same.
  @Test func `keyd forwards the disabled keyboard`() {
    let names = DisabledInput().remappedKeyboards(in: directory.path)
    #expect(names == ["keyd virtual keyboard"])
  }

  @Test func `a disabled virtual keyboard is not reported`() {
    let devices = DisabledInput(names: ["auto", "keyd *"])
    #expect(devices.remappedKeyboards(in: directory.path).isEmpty)
  }
}
