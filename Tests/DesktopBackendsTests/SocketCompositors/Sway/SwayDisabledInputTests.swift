// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import DesktopBackends

/// Keyboards and touchpads disabled in tablet mode, with a fake sway.
@Suite("input that sway disables", .serialized)
@MainActor
final class SwayDisabledInputTests {
  private let directory: TemporaryDirectory
  private var sway: FakeSway?
  /// The `send_events` of each device.
  private var states: [String: String] = [
    "1:1:AT_Keyboard": "enabled", "2:7:ELAN_Touchpad": "disabled_on_external_mouse", "3:3:Mouse": "enabled",
    "4:4:ELAN_Touch": "enabled", "1386:5:Wacom_Pad": "enabled",
  ]
  private static let types = [
    "1:1:AT_Keyboard": "keyboard", "2:7:ELAN_Touchpad": "touchpad", "3:3:Mouse": "pointer",
    "4:4:ELAN_Touch": "touch", "1386:5:Wacom_Pad": "tablet_pad",
  ]

  init() throws {
    directory = try TemporaryDirectory()
    for (event, name, bus, keys) in Self.kernelDevices {
      let device = "sys/\(event)/device"
      try directory.write("\(name)\n", to: "\(device)/name")
      try directory.write("\(bus)\n", to: "\(device)/id/bustype")
      try directory.write("0001\n", to: "\(device)/id/vendor")
      try directory.write("0001\n", to: "\(device)/id/product")
      try directory.write("\(keys)\n", to: "\(device)/capabilities/key")
    }
  }

  private static let kernelDevices = [
    ("event3", "AT Keyboard", "0011", "fffffffffffffffe"), ("event9", "Sleep Button", "0019", "4000 0 0"),
  ]

  private var isKept: Bool { access(directory["autorotate/sway-input"], F_OK) == 0 }

  private func start() throws -> RunningDesktop {
    let runtime = directory.path
    let running = try RunningDesktop { loop, note in
      let fake = try FakeSway(loop: loop)
      sway = fake
      fake.answer = { [unowned self] in answer($0, $1) }
      let context = CompositorContext(loop: loop, note: note)
      let dialect = try SwayDialect(
        CompositorSocket(connectingTo: fake.path), context,
        kept: StateFile(.runtime, "sway-input") { $0 == "XDG_RUNTIME_DIR" ? runtime : nil },
        kernelDirectory: "\(runtime)/sys")
      return try CompositorBackend(dialect, context)
    }
    running.other = sway
    return running
  }

  private func answer(_ request: SwayMessage.Request, _ text: String) -> [UInt8]? {
    switch request {
    case .getInputs:
      let devices = states.map { identifier, state in
        """
        {"identifier":"\(identifier)","name":"\(identifier)","type":"\(Self.types[identifier] ?? "")",
        "libinput":{"send_events":"\(state)"}}
        """
      }
      let virtual = #"{"identifier":"0:0:wlr_virtual_keyboard_v1","name":"virtual","type":"keyboard"}"#
      return FakeSway.frame(request.rawValue, "[\((devices + [virtual]).joined(separator: ","))]")
    case .runCommand:
      let words = text.split(separator: " ").map { $0.filter { $0 != "\"" } }
      if words.first == "input", words.count == 4, words[2] == "events" { states[words[1]] = words[3] }
      return nil
    default: return nil
    }
  }

  private var disabled: [String] { states.filter { $0.value == "disabled" }.keys.sorted() }

  @Test func `built in devices are disabled and enabled again`() throws {
    let running = try start()
    #expect(running.backend.disable(DisabledInput()))
    try running.wait("the keyboard") { disabled == ["1:1:AT_Keyboard"] }
    #expect(isKept)
    _ = running.backend.disable(nil)
    try running.wait("the end") { disabled.isEmpty && !isKept }
  }

  @Test func `named devices except tablets are disabled and restored`() throws {
    let running = try start()
    let before = states
    _ = running.backend.disable(DisabledInput(names: ["*"]))
    let all = ["1:1:AT_Keyboard", "2:7:ELAN_Touchpad", "3:3:Mouse"]
    try running.wait("all") { disabled == all }
    #expect(sway?.commands.contains { $0.contains("virtual") } == false)
    _ = running.backend.disable(DisabledInput(names: ["3:3:*"]))
    try running.wait("one") { disabled == ["3:3:Mouse"] }
    _ = running.backend.disable(nil)
    try running.wait("what was before") { states == before }
  }

  @Test func `a device that the user disabled stays disabled`() throws {
    states["1:1:AT_Keyboard"] = "disabled"
    let running = try start()
    _ = running.backend.disable(DisabledInput(names: ["auto", "3:3:*"]))
    try running.wait("the mouse") { disabled == ["1:1:AT_Keyboard", "3:3:Mouse"] }
    _ = running.backend.disable(nil)
    try running.wait("the end") { disabled == ["1:1:AT_Keyboard"] }
  }

  @Test func `new devices and reloads are handled`() throws {
    states["1:1:AT_Keyboard"] = nil
    let running = try start()
    _ = running.backend.disable(DisabledInput())
    states["1:1:AT_Keyboard"] = "enabled"
    sway?.sendEvent(.input, #"{"change": "added"}"#)
    try running.wait("it") { disabled == ["1:1:AT_Keyboard"] }
    states["1:1:AT_Keyboard"] = "enabled"
    sway?.sendEvent(.workspace, #"{"change": "reload"}"#)
    try running.wait("it again") { disabled == ["1:1:AT_Keyboard"] }
  }

  @Test func `a refusal is noted once and rotation still works`() throws {
    let running = try start()
    let usual = sway?.answer
    sway?.answer = { request, text in
      text.contains("events")
        ? FakeSway.frame(0, #"[{"success": false, "error": "No"}]"#) : usual?(request, text)
    }
    _ = running.backend.disable(DisabledInput())
    try running.wait("a note") { running.notes.count == 1 }
    // For the shell and for sway, where a semicolon would end a command.
    #expect(running.notes[0].contains(#"`swaymsg 'input "1:1:AT_Keyboard" events disabled'`"#))
    sway?.sendEvent(.input, #"{"change": "added"}"#)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    try running.wait("the second refusal") { !isKept }
    #expect(running.notes.count == 1)
  }

  @Test func `the next daemon enables what a killed one left disabled`() throws {
    try directory.write(
      "disabled_on_external_mouse 2:7:ELAN_Touchpad\nnonsense\nenabled 3:3:\"Mouse\n",
      to: "autorotate/sway-input")
    states["2:7:ELAN_Touchpad"] = "disabled"
    let running = try start()
    try running.wait("the touchpad") {
      states["2:7:ELAN_Touchpad"] == "disabled_on_external_mouse" && !isKept
    }
    #expect(sway?.commands.contains { $0.contains("Mouse") } == false)
  }

  /// Was missed: a pending answer still listed it as enabled.
  @Test func `quick changes end with enabled devices`() throws {
    let running = try start()
    for _ in 0..<20 {
      _ = running.backend.disable(DisabledInput())
      sway?.sendEvent(.input, #"{"change": "added"}"#)
      try running.wait("the keyboard") { disabled == ["1:1:AT_Keyboard"] }
      _ = running.backend.disable(nil)
      try running.wait("the end") { disabled.isEmpty }
    }
  }

  @Test func `all devices are enabled at the end`() throws {
    let running = try start()
    _ = running.backend.disable(DisabledInput(names: ["*"]))
    try running.wait("all") { disabled.count == 3 }
    running.stop()
    #expect(isKept, "this sway answers only afterwards")
    try running.wait("what was sent last") { disabled.isEmpty }
  }

  @Test func `a touchscreen that an older version left disabled is enabled`() throws {
    try directory.write("enabled 4:4:ELAN_Touch\n", to: "autorotate/sway-input")
    states["4:4:ELAN_Touch"] = "disabled"
    let running = try start()
    try running.wait("the touchscreen") { disabled.isEmpty && !isKept }
  }

  @Test func `identifiers are those of sway`() {
    var device = KernelInput()
    device.name = "TPPS/2 Élan Track\tPoint"
    device.vendor = 2
    device.product = 10
    #expect(device.swayIdentifier == "2:10:TPPS/2___lan_Track_Point")
  }
}
