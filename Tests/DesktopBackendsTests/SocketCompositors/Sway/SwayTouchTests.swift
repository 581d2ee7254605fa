// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// The touchscreens that autorotate maps on sway, and those that sway maps automatically.
@Suite("touchscreens on sway", .serialized)
@MainActor
final class SwayTouchTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    try addDevice(66, "Panel Touch", "E:ID_PATH=platform-i2c_designware.0")
    try addDevice(67, "Pen", "E:ID_PATH=pci-0000:00:15.0-platform-i2c_designware.1")
    try addDevice(68, "Mapped Touch", "E:WL_OUTPUT=HDMI-A-1")
    try addDevice(69, "Board Touch", bus: "0018", "E:ID_PATH=acpi-ELAN9008:00")
  }

  /// Adds a touchscreen to udev's database.
  private func addDevice(
    _ number: Int, _ name: String, bus: String = "0000", isDirect: Bool = true, _ property: String
  ) throws {
    try place.write("\(name)\n", to: "input/event\(number)/device/name")
    try place.write("\(bus)\n", to: "input/event\(number)/device/id/bustype")
    try place.write(isDirect ? "2\n" : "1\n", to: "input/event\(number)/device/properties")
    try place.write("13:\(number)\n", to: "input/event\(number)/dev")
    try place.write("E:ID_INPUT_TOUCHSCREEN=1\n\(property)\n", to: "c13:\(number)")
  }

  private static let names = ["Panel Touch", "Pen", "Mapped Touch", "Board Touch"]

  private func inputs(_ names: [String]) -> String {
    let all = names.map { name in
      #"{"identifier":"1:1:\#(name)","name":"\#(name)","type":"touch"}"#
    }
    return "[\(all.joined(separator: ","))]"
  }

  private func start(
    map: [TouchAssignment] = [], _ prepare: (FakeSway) -> Void
  ) throws -> (FakeSway, RunningDesktop) {
    var sway: FakeSway?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeSway(loop: loop)
      fake.inputs = inputs(Self.names)
      prepare(fake)
      sway = fake
      var known = MappedTouchscreens(
        database: place.path, kernelDirectory: place["input"])
      known.integration = { $0.name.contains("Cintiq") ? [.display] : nil }
      let settings = DisplaySettings(touchMap: map)
      let context = CompositorContext(
        loop: loop, settings: settings, timeout: EventLoop.limit, note: note)
      let dialect = try SwayDialect(
        CompositorSocket(connectingTo: fake.path), context, touchscreens: known)
      return try CompositorBackend(dialect, context)
    }
    let fake = try #require(sway)
    running.other = fake
    return (fake, running)
  }

  private func mapped(_ sway: FakeSway) -> [String] {
    Self.names.filter { name in sway.commands.contains("input \"1:1:\(name)\" map_to_output \"eDP-1\"") }
  }

  @Test(arguments: [
    ((1, 7, 0), false), ((1, 9, 0), false), ((1, 10, 0), false), ((1, 10, 1), true), ((1, 11, 0), true),
    ((0, 5, 0), false),
  ])
  func `a built in touchscreen is mapped unless sway does so`(_ version: (Int, Int, Int), _ finds: Bool)
    throws
  {
    let (sway, running) = try start { $0.version = (version.0, version.1, version.2) }
    let wanted = finds ? ["Board Touch"] : ["Panel Touch", "Pen", "Board Touch"]
    try running.wait("the mapping") { mapped(sway) == wanted }
  }

  @Test func `a later touchscreen is mapped`() throws {
    let (sway, running) = try start { $0.inputs = "[]" }
    try running.wait("the inputs") { sway.requests.contains(100) }
    sway.inputs = inputs(["Panel Touch"])
    sway.sendEvent(.input, #"{"change":"added"}"#)
    try running.wait("the mapping") { mapped(sway) == ["Panel Touch"] }
  }

  @Test func `a touchscreen is mapped again after a reload`() throws {
    let (sway, running) = try start { $0.inputs = inputs(["Panel Touch"]) }
    try running.wait("the mapping") { !mapped(sway).isEmpty }
    let before = sway.commands.count
    sway.sendEvent(.workspace, #"{"change":"reload"}"#)
    try running.wait("the mapping again") { sway.commands.count > before }
  }

  @Test func `a touchscreen stays mapped to a panel that is off`() throws {
    let (sway, running) = try start { $0.inputs = inputs(["Panel Touch"]) }
    try running.wait("the mapping") { !mapped(sway).isEmpty }
    let before = sway.commands
    sway.setPower(false, of: ["eDP-1"])
    sway.sendEvent(.workspace, #"{"change":"init"}"#)
    try running.wait("power off") { running.output("eDP-1")?.isActive == false }
    sway.setPower(true, of: ["eDP-1"])
    sway.sendEvent(.workspace, #"{"change":"init"}"#)
    try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    #expect(sway.commands == before)
  }

  // MARK: External devices

  private static let external = ["Wacom Cintiq Pro 16 Pen", "Wacom Intuos Pro M Pen"]

  private func addExternalDevices() throws {
    let port = "E:ID_PATH=pci-0000:00:14.0-usb-0:2:1.0"
    try addDevice(70, Self.external[0], bus: "0003", port)
    try addDevice(71, Self.external[1], bus: "0003", isDirect: false, port)
    try addDevice(72, "Strange Touch", bus: "0003", port)
  }

  /// Devices are mapped in sway's order.
  @Test func `a pen display and a desk tablet are left alone`() throws {
    try addExternalDevices()
    let (sway, running) = try start { $0.inputs = inputs(Self.external + ["Panel Touch"]) }
    try running.wait("the mapping") { mapped(sway) == ["Panel Touch"] }
    #expect(sway.commands.count == 1 && running.notes == [])
  }

  @Test func `the settings map a pen display to its output`() throws {
    try addExternalDevices()
    let map = [TouchAssignment("*Cintiq*", on: "HDMI-A-1")]
    let (sway, running) = try start(map: map) {
      $0.heads[1].name = "HDMI-A-1"
      $0.inputs = inputs(Self.external + ["Panel Touch"])
    }
    try running.wait("the mapping") { mapped(sway) == ["Panel Touch"] }
    #expect(sway.commands.first == #"input "1:1:Wacom Cintiq Pro 16 Pen" map_to_output "HDMI-A-1""#)
  }

  @Test func `a name in the command of a complaint is quoted`() throws {
    let (_, running) = try start {
      $0.inputs = inputs(["Panel Touch"])
      $0.answer = { request, text in
        text.contains("map_to_output") ? FakeSway.frame(0, #"[{"success": false, "error": "No"}]"#) : nil
      }
    }
    let command = #"`swaymsg 'input "1:1:Panel Touch" map_to_output "eDP-1"'`"#
    try running.wait("the note") { running.notes.contains { $0.contains(command) } }
  }

  @Test func `an unknown touchscreen is left alone and reported once`() throws {
    try addExternalDevices()
    let (sway, running) = try start { $0.inputs = inputs(["Strange Touch", "Panel Touch"]) }
    try running.wait("the mapping") { mapped(sway) == ["Panel Touch"] }
    try running.wait("the note") { running.notes.contains { $0.contains("Strange Touch") } }
    #expect(sway.commands.count == 1 && running.notes.count == 1)
  }

  /// As on a Galaxy Book Pro 360 with Linux 5.16.
  @Test(arguments: [true, false])
  func `of two pens with one name the direct is mapped`(_ isFirst: Bool) throws {
    try addDevice(73, "W9020 Pen", bus: "0018", isDirect: isFirst, "E:ID_INPUT_TABLET=1")
    try addDevice(74, "W9020 Pen", bus: "0018", isDirect: !isFirst, "E:ID_INPUT_TABLET=1")
    let (sway, running) = try start { $0.inputs = inputs(["W9020 Pen"]) }
    try running.wait("the mapping") { !sway.commands.isEmpty }
    #expect(sway.commands == [#"input "1:1:W9020 Pen" map_to_output "eDP-1""#] && running.notes == [])
  }

  @Test func `other settings release one device and map another`() throws {
    let (sway, running) = try start {
      $0.heads[1].name = "eDP-2"
      $0.inputs = inputs(["Board Touch", "Pen"])
    }
    try running.wait("the notes") { running.notes.count == 2 }
    let line = #"map = { "Board Touch" = "eDP-1", "Pen" = "eDP-1" }"#
    #expect(running.notes.allSatisfy { $0.contains(line) })
    running.backend.use(DisplaySettings(touchMap: [TouchAssignment("Pen", on: "eDP-2")]))
    try running.wait("the mapping") { !sway.commands.isEmpty }
    running.backend.use(DisplaySettings(touchMap: [TouchAssignment("Board*", on: "eDP-1")]))
    try running.wait("the other mapping") { sway.commands.count == 3 }
    let commands = ["\"1:1:Pen\" map_to_output \"eDP-2\"", "\"1:1:Board Touch\" map_to_output \"eDP-1\""]
    #expect(
      sway.commands == ["input \(commands[0])", "input \(commands[1])", "input \"1:1:Pen\" map_to_output *"])
    running.stop()
  }

  // MARK: Two panels

  private func commands(_ sway: FakeSway, of name: String) -> [String] {
    sway.commands.filter { $0.hasPrefix("input \"1:1:\(name)\"") }
  }

  @Test func `each device is mapped to the panel in the settings`() throws {
    let map = [TouchAssignment("Board*", on: "eDP-2"), TouchAssignment("P*", on: "eDP-1")]
    let (sway, running) = try start(map: map) { $0.heads[1].name = "eDP-2" }
    try running.wait("the mapping") { commands(sway, of: "Board Touch").count == 1 }
    #expect(commands(sway, of: "Board Touch") == [#"input "1:1:Board Touch" map_to_output "eDP-2""#])
    #expect(mapped(sway) == ["Panel Touch", "Pen"])
  }

  @Test func `a device without a place is noted once`() throws {
    let (sway, running) = try start {
      $0.heads[1].name = "eDP-2"
      $0.inputs = inputs(["Board Touch", "Mapped Touch"])
    }
    try running.wait("the note") { running.notes.contains { $0.description.contains("Board Touch") } }
    sway.sendEvent(.input, #"{"change":"added"}"#)
    try running.wait("the inputs again") { sway.requests.count { $0 == 100 } > 1 }
    #expect(sway.commands.isEmpty)
    #expect(running.notes.count { $0.description.contains("left alone") } == 1)
  }
}
