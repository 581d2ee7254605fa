// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// Which touchscreens sway is told to map, and which it is trusted to map by itself.
@Suite("touchscreens on sway", .serialized)
@MainActor
final class SwayTouchTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    try know("13:66", "Panel Touch", "E:ID_PATH=platform-i2c_designware.0")
    try know("13:67", "Pen", "E:ID_PATH=pci-0000:00:15.0-platform-i2c_designware.1")
    try know("13:68", "Told Touch", "E:WL_OUTPUT=HDMI-A-1")
    try know("13:69", "USB Touch", "E:ID_PATH=pci-0000:00:14.0-usb-0:7")
  }

  /// A touchscreen that the device manager knows.
  private func know(_ number: String, _ name: String, _ property: String) throws {
    try place.write("\(name)\n", to: "dev/\(number)/device/name")
    try place.write("DEVNAME=input/event\(number.suffix(1))\n", to: "dev/\(number)/uevent")
    try place.write("E:ID_INPUT_TOUCHSCREEN=1\n\(property)\n", to: "c\(number)")
  }

  private static let names = ["Panel Touch", "Pen", "Told Touch", "USB Touch"]

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
      let known = MappedTouchscreens(
        panel: "", database: place.path, devicesByNumber: place["dev"])
      let settings = DisplaySettings(touchMap: map)
      let context = CompositorContext(
        loop: loop, settings: settings, patience: EventLoop.limit, note: note)
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
  func aBuiltInTouchscreenIsMappedWhereSwayDoesNotFindIt(_ version: (Int, Int, Int), _ finds: Bool) throws {
    let (sway, running) = try start { $0.version = (version.0, version.1, version.2) }
    let wanted = finds ? ["USB Touch"] : ["Panel Touch", "Pen", "USB Touch"]
    try running.wait("the mapping") { mapped(sway) == wanted }
  }

  @Test func oneThatComesLaterIsMappedToo() throws {
    let (sway, running) = try start { $0.inputs = "[]" }
    try running.wait("the inputs") { sway.requests.contains(100) }
    sway.inputs = inputs(["Panel Touch"])
    sway.tell(.input, #"{"change":"added"}"#)
    try running.wait("the mapping") { mapped(sway) == ["Panel Touch"] }
  }

  @Test func itIsMappedAgainAfterAReload() throws {
    let (sway, running) = try start { $0.inputs = inputs(["Panel Touch"]) }
    try running.wait("the mapping") { !mapped(sway).isEmpty }
    let before = sway.commands.count
    sway.tell(.workspace, #"{"change":"reload"}"#)
    try running.wait("the mapping again") { sway.commands.count > before }
  }

  @Test func itStaysWithThePanelThatIsDark() throws {
    let (sway, running) = try start { $0.inputs = inputs(["Panel Touch"]) }
    try running.wait("the mapping") { !mapped(sway).isEmpty }
    let before = sway.commands
    sway.switchPower(false, of: ["eDP-1"])
    sway.tell(.workspace, #"{"change":"init"}"#)
    try running.wait("the dark") { running.output("eDP-1")?.isActive == false }
    sway.switchPower(true, of: ["eDP-1"])
    sway.tell(.workspace, #"{"change":"init"}"#)
    try running.wait("the light") { running.output("eDP-1")?.isActive == true }
    #expect(sway.commands == before)
  }

  // MARK: Two panels

  private func commands(_ sway: FakeSway, of name: String) -> [String] {
    sway.commands.filter { $0.hasPrefix("input \"1:1:\(name)\"") }
  }

  @Test func eachIsMappedToThePanelThatTheSettingsName() throws {
    let map = [TouchAssignment("USB*", on: "eDP-2"), TouchAssignment("P*", on: "eDP-1")]
    let (sway, running) = try start(map: map) { $0.heads[1].name = "eDP-2" }
    try running.wait("the mapping") { commands(sway, of: "USB Touch").count == 1 }
    #expect(commands(sway, of: "USB Touch") == [#"input "1:1:USB Touch" map_to_output "eDP-2""#])
    #expect(mapped(sway) == ["Panel Touch", "Pen"])
  }

  @Test func whatCannotBePlacedIsLeftAloneAndSaidOnce() throws {
    let (sway, running) = try start {
      $0.heads[1].name = "eDP-2"
      $0.inputs = inputs(["USB Touch", "Told Touch"])
    }
    try running.wait("the word") { running.notes.contains { $0.description.contains("USB Touch") } }
    sway.tell(.input, #"{"change":"added"}"#)
    try running.wait("the inputs again") { sway.requests.count { $0 == 100 } > 1 }
    #expect(sway.commands.isEmpty)
    #expect(running.notes.count { $0.description.contains("left alone") } == 1)
  }
}
