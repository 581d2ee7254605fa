// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

private final class DeviceWatch {
  let changed: () -> Void

  init(_ changed: @escaping () -> Void) { self.changed = changed }
}

/// The outputs of touchscreens and pens in GNOME's settings.
@MainActor
@Suite("touchscreens in GNOME's settings")
final class MutterTouchTests {
  private static let key =
    "org.gnome.desktop.peripherals.touchscreen:/org/gnome/desktop/peripherals/touchscreens/04f3:4447/"
  private static let first = "['SDC', '0x4152', '0x1']"

  private let directory: TemporaryDirectory
  private let loop: EventLoop
  private var notes: [Message] = []
  private weak var watch: DeviceWatch?

  init() throws {
    directory = try TemporaryDirectory()
    loop = try EventLoop()
    try connect()
    try directory.write("['', '', '']\n", to: "value")
  }

  private func connect() throws {
    try directory.write("Upper Touch\n", to: "input/event4/device/name")
    try directory.write("04f3\n", to: "input/event4/device/id/vendor")
    try directory.write("4447\n", to: "input/event4/device/id/product")
    try directory.write("13:64\n", to: "input/event4/dev")
    try directory.write("E:ID_INPUT_TOUCHSCREEN=1\n", to: "c13:64")
  }

  private func monitor(_ connector: String, _ product: String = "0x4152", serial: String = "0x1")
    -> MonitorState.Monitor
  {
    MonitorState.Monitor(identity: [connector, "SDC", product, serial], modes: [], properties: [:])
  }

  private func touch(set: String = "echo x >> DIR/sets; echo \"$4\" > DIR/value") throws -> MutterTouch {
    _ = try directory.writeSettingsProgram(of: "\(Self.key) output", set: set)
    let touchscreens = MappedTouchscreens(
      database: directory.path, kernelDirectory: directory["input"], integration: { _ in nil })
    return MutterTouch(
      .gnome, loop: loop, program: directory["gsettings"], touchscreens: touchscreens,
      watch: { [unowned self] changed in
        let watch = DeviceWatch(changed)
        self.watch = watch
        return watch
      },
      note: { [unowned self] in notes.append($0) })
  }

  /// Reports that udev has added or removed a device.
  private func changeDevices() throws {
    let watch = try #require(watch)
    watch.changed()
  }

  private var value: String { SystemFile.line(of: directory["value"]) ?? "" }
  private var sets: String { SystemFile.text(of: directory["sets"], maximumBytes: 100) ?? "" }

  @Test func `a device is mapped as the settings say`() throws {
    let touch = try touch()
    touch.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    touch.monitors = [monitor("eDP-1"), monitor("eDP-2", "0x4153")]
    try loop.wait(for: "the value") { value == Self.first }
    touch.assignments = [TouchAssignment("Upper*", on: "eDP-2")]
    try loop.wait(for: "the other value") { value == "['SDC', '0x4153', '0x1']" }
    #expect(notes.isEmpty)
  }

  @Test func `the same value is not written again`() throws {
    try directory.write(Self.first + "\n", to: "value")
    let touch = try touch()
    touch.monitors = [monitor("eDP-1"), monitor("eDP-2", "0x4153")]
    touch.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    touch.assignments = [TouchAssignment("*", on: "eDP-2")]
    try loop.wait(for: "the other value") { value == "['SDC', '0x4153', '0x1']" }
    #expect(sets == "x\n")
  }

  @Test func `monitors with the same identity are distinguished by connector`() {
    let monitors = [monitor("eDP-1"), monitor("eDP-2")]
    #expect(monitors.touchValue(of: "eDP-2") == "['SDC', '0x4152', '0x1', 'eDP-2']")
    #expect(monitors.output(ofTouchValue: "['SDC', '0x4152', '0x1', 'eDP-2']") == "eDP-2")
    #expect([monitor("eDP-1")].output(ofTouchValue: Self.first) == "eDP-1")
    #expect(monitors.touchValue(of: "DP-9") == nil)
    for empty in ["['', '', '']", "@as []", ""] { #expect(monitors.output(ofTouchValue: empty) == nil) }
  }

  @Test func `names of a monitor cannot leave their quotes`() {
    let hostile = [monitor("eDP-1", "a'b\"c\\d", serial: "$(x)")]
    #expect(hostile.touchValue(of: "eDP-1") == #"['SDC', "a'b\"c\\d", '$(x)']"#)
    #expect(
      [monitor("eDP-1", "'\u{301}\"\u{301}")].touchValue(of: "eDP-1")?.contains("\\\"\u{301}\", ") == true)
    #expect(
      hostile.touchCommand(["key", "output"], mappingTo: "eDP-1")
        == #"gsettings set key output '['\''SDC'\'', "a'\''b'\\'"c'\\''\\'d", '\''$(x)'\'']'"#)
  }

  /// In double quotes bash would replace it by an earlier command.
  @Test func `an exclamation mark in a monitor's name is quoted`() {
    let command = [monitor("eDP-1", "!x")].touchCommand(["key", "output"], mappingTo: "eDP-1")
    #expect(command == #"gsettings set key output '['\''SDC'\'', '\''!x'\'', '\''0x1'\'']'"#)
  }

  @Test func `a pen has a schema of its own`() {
    let pen = MappedTouchscreens.Device(name: "Pen", isWiredIn: true, isPen: true, hardware: "056a:0350")
    let path = "/org/cinnamon/desktop/peripherals/tablets/056a:0350/"
    #expect(
      MutterDesktop.cinnamon.touchKey(of: pen) == [
        "org.cinnamon.desktop.peripherals.tablet:\(path)", "output",
      ])
  }

  @Test func `a failure is reported once`() throws {
    let touch = try touch(set: "echo no; exit 1")
    touch.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    touch.monitors = [monitor("eDP-1")]
    try loop.wait(for: "the note") { notes.count == 1 }
    #expect(notes[0].description.contains("GNOME does not map “Upper Touch” to eDP-1"))
    withExtendedLifetime(touch) {}
  }

  @Test func `a device that is connected later is mapped`() throws {
    unlink(directory["c13:64"])
    let touch = try touch()
    touch.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    touch.monitors = [monitor("eDP-1")]
    try connect()
    try changeDevices()
    try loop.wait(for: "the value") { value == Self.first }
    #expect(notes.isEmpty)
  }

  @Test func `devices are watched only while some are assigned`() throws {
    var touch: MutterTouch? = try touch()
    touch?.monitors = [monitor("eDP-1")]
    #expect(watch == nil)
    touch?.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    #expect(watch != nil)
    touch?.assignments = []
    #expect(watch == nil)
    touch?.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    touch = nil
    #expect(watch == nil)
  }

  @Test func `a failed write is repeated, and reported once`() throws {
    let touch = try touch(set: "echo x >> DIR/sets; [ -e DIR/works ] && echo \"$4\" > DIR/value")
    touch.assignments = [TouchAssignment("Upper*", on: "eDP-1")]
    touch.monitors = [monitor("eDP-1")]
    try loop.wait(for: "the note") { notes.count == 1 }
    try changeDevices()
    try loop.wait(for: "the second attempt") { sets == "x\nx\n" }
    try directory.write("", to: "works")
    try loop.wait(for: "the value") {
      try changeDevices()
      return value == Self.first
    }
    #expect(notes.count == 1)
  }
}
