// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// GNOME's touchpads in tablet mode, with a gsettings that stores one value in a file.
@Suite("GNOME's touchpad", .serialized)
@MainActor
final class TouchpadSwitchTests {
  private let directory: TemporaryDirectory
  private let loop: EventLoop
  private var notes: [Message] = []

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
    try program()
    try directory.write("'enabled'\n", to: "value")
    try directory.write("ELAN Touchpad\n", to: "sys/event5/device/name")
    try directory.write("0018\n", to: "sys/event5/device/id/bustype")
    try directory.write("2420 10000 0 0 0 0\n", to: "sys/event5/device/capabilities/key")
    try directory.write("3\n", to: "sys/event5/device/capabilities/abs")
  }

  private func program(set: String = "echo \"'$4'\" > DIR/value") throws {
    _ = try directory.writeSettingsProgram(
      of: "org.gnome.desktop.peripherals.touchpad send-events", set: set)
  }

  private var value: String { SystemFile.line(of: directory["value"]) ?? "" }
  private var isKept: Bool { access(directory["kept"], F_OK) == 0 }

  private func touchpad() -> TouchpadSwitch {
    let touchpad = TouchpadSwitch(
      .gnome, loop: loop, program: directory["gsettings"], kept: StateFile(path: directory["kept"]),
      kernelDirectory: directory["sys"], note: { [unowned self] in notes.append($0) })
    touchpad.restore()
    return touchpad
  }

  @Test func `the touchpad is disabled in tablet mode and restored`() throws {
    try directory.write("'disabled-on-external-mouse'\n", to: "value")
    let touchpad = touchpad()
    for _ in 0..<2 {
      #expect(touchpad.disable(DisabledInput()))
      try loop.wait(for: "off") { value == "'disabled'" }
      #expect(isKept)
      #expect(touchpad.disable(nil))
      try loop.wait(for: "on, and no mark") { value == "'disabled-on-external-mouse'" && !isKept }
    }
  }

  @Test func `the touchpad is enabled after quick changes`() throws {
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    _ = touchpad.disable(nil)
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "off") { value == "'disabled'" }
    _ = touchpad.disable(nil)
    try loop.wait(for: "on") { value == "'enabled'" && !isKept }
  }

  @Test func `only a named touchpad is disabled`() {
    let touchpad = touchpad()
    #expect(!touchpad.disable(DisabledInput(names: ["*keyboard*"])))
    #expect(value == "'enabled'")
  }

  @Test func `a touchpad that the user disabled stays disabled`() throws {
    try directory.write("'disabled'\n", to: "value")
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    _ = touchpad.disable(nil)
    touchpad.stop()
    #expect(value == "'disabled'")
    #expect(!isKept)
  }

  @Test func `the touchpad is enabled at the end`() throws {
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "off") { value == "'disabled'" }
    touchpad.stop()
    #expect(value == "'enabled'")
    #expect(!isKept)
  }

  /// Its command could otherwise disable the touchpad after the end.
  @Test func `a command under way is killed at the end`() throws {
    try program(
      set: "if [ \"$4\" = disabled ]; then mkfifo DIR/fifo; echo $$ > DIR/pid; exec cat DIR/fifo; fi; "
        + "echo \"'$4'\" > DIR/value")
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "the command") { SystemFile.line(of: directory["pid"])?.isEmpty == false }
    let process = try #require(SystemFile.line(of: directory["pid"]).flatMap { pid_t($0) })
    touchpad.stop()
    #expect(kill(process, SIGKILL) != 0 && errno == ESRCH)
    #expect(value == "'enabled'" && !isKept)
  }

  /// Earlier versions wrote two words.
  @Test(arguments: ["enabled", "touchpad enabled\n", "enabled touchpad\n"])
  func `the next daemon enables what a killed one left disabled`(kept: String) throws {
    try directory.write("'disabled'\n", to: "value")
    try directory.write(kept, to: "kept")
    let touchpad = touchpad()
    try loop.wait(for: "on, and no mark") { value == "'enabled'" && !isKept }
    withExtendedLifetime(touchpad) {}
  }

  @Test func `a failure is noted once`() throws {
    try program(set: "echo no; exit 1")
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "the note") { notes.count == 1 }
    _ = touchpad.disable(nil)
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "nothing left") { !isKept }
    #expect(notes.count == 1)
    #expect(value == "'enabled'")
  }

  @Test func `the touchpad is enabled after a command that was killed`() throws {
    try program(set: "echo \"'$4'\" > DIR/value; [ $4 != disabled ] || kill -KILL $$")
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "the note") { notes.count == 1 }
    #expect(value == "'disabled'" && isKept)
    _ = touchpad.disable(nil)
    try loop.wait(for: "on, and no mark") { value == "'enabled'" && !isKept }
  }

  @Test func `the touchpad is enabled if the device is unfolded during a failure`() throws {
    try program(set: "echo \"'$4'\" > DIR/value; [ $4 != disabled ] || kill -KILL $$")
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    _ = touchpad.disable(nil)
    try loop.wait(for: "the note") { notes.count == 1 }
    try loop.wait(for: "on, and no mark") { value == "'enabled'" && !isKept }
  }

  @Test func `a command that was killed is repeated in the next tablet mode`() throws {
    try program(set: "kill -KILL $$")
    let touchpad = touchpad()
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "the note") { notes.count == 1 }
    #expect(value == "'enabled'" && isKept)
    try program()
    _ = touchpad.disable(DisabledInput())
    try loop.wait(for: "off") { value == "'disabled'" }
    #expect(isKept)
  }
}
