// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// What doctor shows of compositors with a socket.
@Suite("inspections of compositors", .serialized)
@MainActor
struct CompositorInspectionTests {
  private let loop: EventLoop
  private let directory: TemporaryDirectory

  init() throws {
    loop = try EventLoop()
    directory = try TemporaryDirectory()
  }

  private func context(timeout: Int64 = EventLoop.limit) -> CompositorContext {
    CompositorContext(loop: loop, timeout: timeout)
  }

  private func inspect(_ sway: FakeSway, timeout: Int64 = EventLoop.limit) throws -> DisplayInspection {
    let context = context(timeout: timeout)
    let dialect = try SwayDialect(CompositorSocket(connectingTo: sway.path), context)
    return try CompositorBackend.inspect(dialect, context)
  }

  @Test func `sway's version, outputs and devices are shown`() throws {
    let sway = try FakeSway(loop: loop)
    sway.heads[1].isEnabled = false
    sway.inputs = """
      [{"identifier":"1386:1:Some_Pen","name":"Some Pen","type":"tablet_tool"},
      {"identifier":"1:1:Some_Mouse","name":"Some Mouse","type":"pointer"}]
      """
    sway.configuration = "input type:tablet_tool map_to_output eDP-1\n"
    let found = try inspect(sway)
    #expect("\(found.system)" == "sway 1.7")
    #expect(found.outputs.map(\.name) == ["eDP-1", "HDMI-A-1"])
    #expect(found.outputs.map(\.isActive) == [true, false])
    #expect(found.outputs.panelName(chosen: OutputChoice()) == "eDP-1" && found.focus.code == .focusKnown)
    #expect(found.touch.map(\.description) == ["“Some Pen” is mapped by the sway configuration"])
    sway.inputs = "[]"
    #expect(try inspect(sway).touch.map(\.code) == [.touchNone])
  }

  @Test func `the end of the connection is the reason`() throws {
    let sway = try FakeSway(loop: loop)
    sway.answer = { [unowned sway] request, _ in
      if request == .getInputs { sway.end() }
      return nil
    }
    #expect(throws: Message.mute(SwayDialect.profile, .connectionClosed)) { try inspect(sway) }
  }

  @Test func `a compositor without an answer is silent`() throws {
    let sway = try FakeSway(loop: loop)
    sway.answer = { _, _ in [] }
    #expect(throws: Message.mute(SwayDialect.profile, .silence)) { try inspect(sway, timeout: 1_000_000) }
  }

  @Test func `an answer without outputs is an error`() throws {
    let sway = try FakeSway(loop: loop)
    sway.answer = { request, _ in
      request == .getOutputs ? FakeSway.frame(request.rawValue, "a word") : nil
    }
    #expect(throws: Message.mute(SwayDialect.profile, .garbled("it is not JSON"))) { try inspect(sway) }
    #expect(throws: Message.mute(NiriDialect.profile, .garbled("no outputs"))) {
      try inspectNiri(panels: [], answer: "Inputs")
    }
  }

  private var known: MappedTouchscreens {
    MappedTouchscreens(database: directory.path, kernelDirectory: directory["input"])
  }

  /// Adds a device on the board to udev's database.
  private func addDevice(_ number: Int, _ name: String, _ kind: String) throws {
    try directory.write("\(name)\n", to: "input/event\(number)/device/name")
    try directory.write("0018\n", to: "input/event\(number)/device/id/bustype")
    try directory.write("2\n", to: "input/event\(number)/device/properties")
    try directory.write("13:\(number)\n", to: "input/event\(number)/dev")
    try directory.write("E:\(kind)=1\n", to: "c13:\(number)")
  }

  private func inspectHyprland(
    version: String, devices: String, eval: String = "unknown request"
  ) throws -> DisplayInspection {
    let monitor = #""width":1280,"height":800,"x":0,"y":0,"scale":1,"dpmsStatus":true,"transform":0"#
    let hyprland = try FakeHyprland(loop: loop) { request in
      switch request {
      case "j/version": version
      case "j/devices": devices
      case "j/monitors all": #"[{"name":"eDP-1",\#(monitor)}]"#
      default: eval
      }
    }
    let context = context()
    let dialect = try HyprlandDialect(place: hyprland.place(), context, touchscreens: known)
    return try withExtendedLifetime(hyprland) { try CompositorBackend.inspect(dialect, context) }
  }

  @Test func `Hyprland's version and language are shown`() throws {
    let none = #"{"touch":[],"tablets":[]}"#
    let newer = #"{"version":"0.55.0","tag":"v0.55"}"#
    let found = try inspectHyprland(version: newer, devices: none, eval: "ok")
    #expect("\(found.system)" == "Hyprland 0.55.0, configured by hyprland.lua")
    #expect(
      found.outputs.panelName(chosen: OutputChoice()) == "eDP-1" && found.touch.map(\.code) == [.touchNone])
    let older = try inspectHyprland(version: #"{"version":"","tag":"v0.41"}"#, devices: none)
    #expect("\(older.system)" == "Hyprland v0.41, configured by hyprland.conf")
    let unknown = try inspectHyprland(version: "{}", devices: none)
    #expect("\(unknown.system)" == "Hyprland of unknown version, configured by hyprland.conf")
  }

  @Test func `Hyprland's touchscreens follow or need a setting`() throws {
    try addDevice(69, "Panel Touch", "ID_INPUT_TOUCHSCREEN")
    let devices = #"{"touch":[{"name":"panel-touch"}],"tablets":[]}"#
    let found = try inspectHyprland(version: "{}", devices: devices)
    #expect(
      found.touch.map(\.description) == ["“panel-touch” gets the transform of eDP-1 while autorotate runs"])
  }

  /// - Parameter answer: its name in the answer.
  private func inspectNiri(panels: [String], answer: String = "Outputs") throws -> DisplayInspection {
    let logical = #""x":0,"y":0,"width":1280,"height":800,"scale":1.0,"transform":"Normal""#
    let outputs = panels.map { name in
      """
      "\(name)":{"name":"\(name)","modes":[{"width":1280,"height":800,"refresh_rate":60000}],"current_mode":0,\
      "logical":{\(logical)}}
      """
    }
    let server = try FakeServer(loop: loop) { client in
      guard client.received.last == UInt8(ascii: "\n") else { return }
      let line = String(decoding: client.consume(client.received.count), as: UTF8.self)
      if line == "\"Version\"\n" { client.write("{\"Ok\":{\"Version\":\"25.11\"}}\n") }
      guard line == "\"Outputs\"\n" else { return }
      client.write("{\"Ok\":{\"\(answer)\":{\(outputs.joined(separator: ","))}}}\n")
    }
    let context = context()
    let socket = try CompositorSocket(connectingTo: server.path)
    let dialect = try NiriDialect(path: server.path, socket: socket, context, touchscreens: known)
    return try CompositorBackend.inspect(dialect, context)
  }

  @Test func `niri needs a setting for a pen or beside a monitor`() throws {
    try addDevice(69, "Panel Touch", "ID_INPUT_TOUCHSCREEN")
    try addDevice(70, "Panel Pen", "ID_INPUT_TABLET")
    let found = try inspectNiri(panels: ["eDP-1"])
    #expect("\(found.system)" == "niri 25.11" && found.outputs.panelName(chosen: OutputChoice()) == "eDP-1")
    #expect(found.touch.map(\.code) == [.touchFollows, .touchMisplaced])
    #expect(found.touch.last?.next?.description.contains("tablet { map-to-output \"eDP-1\"; }") == true)
    let docked = try inspectNiri(panels: ["eDP-1", "DP-1"]).touch
    #expect(docked.map(\.code) == [.touchMisplaced, .touchMisplaced])
    #expect(docked.first?.next?.description.contains("touch { map-to-output \"eDP-1\"; }") == true)
    let twoPanels = try inspectNiri(panels: ["eDP-1", "eDP-2"]).touch
    #expect(twoPanels.map(\.code) == [.touchMisplaced, .touchMisplaced])
  }
}
