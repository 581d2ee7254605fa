// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// Keyboards and touchpads disabled in tablet mode, with a fake Hyprland.
@Suite("input that Hyprland disables", .serialized)
@MainActor
final class HyprlandDisabledInputTests {
  private let directory: TemporaryDirectory
  private var hyprland: FakeHyprland?
  private var isLua = false
  private var refuses = false
  private var losesCommands = false
  private var off: Set<String> = []
  private var devices = ["at-keyboard", "elan-touchpad", "mouse", "strange[name]"]

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("AT Keyboard\n", to: "sys/event3/device/name")
    try directory.write("0011\n", to: "sys/event3/device/id/bustype")
    try directory.write("fffffffffffffffe\n", to: "sys/event3/device/capabilities/key")
  }

  private var isKept: Bool { access(directory["autorotate/hyprland-input"], F_OK) == 0 }

  private func start(
    timeout: Int64 = CompositorContext.defaultTimeout, backoff: Backoff = Backoff()
  ) throws -> RunningDesktop {
    let runtime = directory.path
    let running = try RunningDesktop { loop, note in
      let fake = try FakeHyprland(loop: loop, answer: { [unowned self] in answer($0) })
      hyprland = fake
      let context = CompositorContext(loop: loop, timeout: timeout, backoff: backoff, note: note)
      let dialect = try HyprlandDialect(
        place: fake.place(), context,
        kept: StateFile(.runtime, "hyprland-input") { $0 == "XDG_RUNTIME_DIR" ? runtime : nil },
        kernelDirectory: "\(runtime)/sys")
      return try CompositorBackend(dialect, context)
    }
    running.other = hyprland
    try running.wait("outputs") { running.output("eDP-1") != nil }
    return running
  }

  private func answer(_ request: String) -> String? {
    switch request {
    case "j/monitors all":
      return
        #"[{"name":"eDP-1","width":1280,"height":800,"x":0,"y":0,"scale":1,"dpmsStatus":true,"transform":0}]"#
    case "j/devices":
      let entries = devices.map { #"{"name":"\#($0)"}"# }
      return
        #"{"keyboards":[\#(entries[0])],"mice":[\#(entries.dropFirst().joined(separator: ","))],"touch":[{"name":"elan-touchscreen"}]}"#
    case "/eval return 1": return isLua ? "ok" : "unknown request"
    case let text where text.contains("enabled") && losesCommands: return nil
    case let text where text.contains("enabled"): return refuses ? "no such thing" : enable(text)
    case let text where text.contains("transform"): return "ok"
    default: return "{}"
    }
  }

  private func enable(_ text: String) -> String {
    let name =
      isLua ? text.split(separator: "\"")[1] : text.split { "[]".contains($0) }[1]
    if text.contains("false") { off.insert(String(name)) } else { off.remove(String(name)) }
    return "ok"
  }

  @Test(arguments: [false, true])
  func `built in devices are disabled and enabled again`(isLua: Bool) throws {
    self.isLua = isLua
    let running = try start()
    #expect(running.backend.disable(DisabledInput()))
    try running.wait("the keyboard") { off == ["at-keyboard"] }
    try running.wait("the mark") { isKept }
    _ = running.backend.disable(nil)
    try running.wait("the end") { off.isEmpty && !isKept }
  }

  @Test func `a touchscreen that an older version left disabled is enabled`() throws {
    try directory.write("true elan-touchscreen\n", to: "autorotate/hyprland-input")
    off = ["elan-touchscreen"]
    let running = try start()
    try running.wait("the touchscreen") { off.isEmpty && !isKept }
  }

  @Test func `devices are chosen by name except unsafe names`() throws {
    let running = try start()
    _ = running.backend.disable(DisabledInput(names: ["elan*", "strange*"]))
    try running.wait("the touchpad") { off == ["elan-touchpad"] }
    _ = running.backend.disable(DisabledInput(names: ["mouse"]))
    try running.wait("the mouse alone") { off == ["mouse"] }
    #expect(hyprland?.asked.contains { $0.contains("strange") } == false)
  }

  @Test func `devices are chosen by the kernel's name, too`() throws {
    devices.append("at-keyboard-1")
    let running = try start()
    _ = running.backend.disable(DisabledInput(names: ["*T Keyboard"]))
    try running.wait("both keyboards") { off == ["at-keyboard", "at-keyboard-1"] }
  }

  @Test func `devices stay disabled after a reload`() throws {
    let running = try start()
    _ = running.backend.disable(DisabledInput())
    try running.wait("the keyboard") { off == ["at-keyboard"] }
    off = []
    hyprland?.sendEvent("configreloaded>>")
    try running.wait("it again") { off == ["at-keyboard"] }
  }

  @Test func `a refusal is noted once`() throws {
    refuses = true
    let running = try start()
    _ = running.backend.disable(DisabledInput())
    try running.wait("a note") { running.notes.count == 1 }
    hyprland?.sendEvent("monitoradded>>DP-1")
    let asked = hyprland?.asked.count ?? 0
    try running.wait("the next refusal") {
      hyprland?.asked.dropFirst(asked).contains { $0.contains("enabled") } == true
    }
    #expect(running.notes.count == 1)
  }

  @Test func `a command that was not answered is repeated`() throws {
    let running = try start(timeout: 50_000_000, backoff: Backoff(first: 1_000_000, longest: 1_000_000))
    _ = running.backend.disable(DisabledInput())
    try running.wait("the keyboard") { off == ["at-keyboard"] }
    try running.loop.settle()
    losesCommands = true
    _ = running.backend.disable(nil)
    try running.wait("the lost command") { hyprland?.asked.last?.contains("true") == true }
    losesCommands = false
    try running.wait("the end") { off.isEmpty && !isKept }
  }

  @Test func `the next daemon enables what a killed one left disabled`() throws {
    try directory.write("true at-keyboard\n", to: "autorotate/hyprland-input")
    off = ["at-keyboard"]
    let running = try start()
    try running.wait("the keyboard") { off.isEmpty && !isKept }
  }

  @Test func `all devices are enabled at the end`() throws {
    let running = try start()
    _ = running.backend.disable(DisabledInput(names: ["*"]))
    try running.wait("all") { off.count == 3 }
    running.stop()
    #expect(isKept, "this Hyprland answers only afterwards")
    try running.wait("what was sent last") { off.count < 3 }
  }
}
