// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Uses exchanges written from Hyprland's source, since it does not run without a GPU.
@Suite("Hyprland", .serialized)
@MainActor
struct HyprlandBackendTests {
  private func play(_ name: String) throws -> (ExchangePlayer, RunningDesktop) {
    let player = ExchangePlayer(Exchange("Hyprland/Exchanges/\(name).exchange"))
    let running = try start(listens: { player.listens($0) }, answer: { player.answer($0) })
    return (player, running.0)
  }

  private func start(
    timeout: Int64 = EventLoop.limit, backoff: Backoff = Backoff(),
    captured: (any CompositorChannel) -> Void = { _ in },
    listens: @escaping (FakeServer.Client) -> Void = { _ in }, answer: @escaping (String) -> String?
  ) throws -> (RunningDesktop, FakeHyprland) {
    var hyprland: FakeHyprland?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeHyprland(loop: loop, answer: answer, listens: listens)
      hyprland = fake
      let context = CompositorContext(loop: loop, timeout: timeout, backoff: backoff, note: note)
      let dialect = try HyprlandDialect(place: fake.place(), context)
      captured(dialect.channel)
      return try CompositorBackend(dialect, context)
    }
    running.other = hyprland
    return (running, try #require(hyprland))
  }

  private func reach(_ place: String, _ player: ExchangePlayer, _ running: RunningDesktop) throws {
    try running.wait("“\(place)”") { player.isAt(place) || !player.problems.isEmpty }
    #expect(player.problems == [])
    player.resume()
  }

  @Test func `keywords rotate the panel and move the neighbour`() throws {
    let (player, running) = try play("conf-0.47")
    try reach("rotate left", player, running)
    #expect(running.outputs.map(\.name) == ["eDP-1", "HDMI-A-1"])
    #expect(running.output("eDP-1")?.isBuiltIn == true)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    try reach("focus", player, running)
    #expect(running.output("eDP-1")?.transform == .rotated90)
    try reach("fullscreen", player, running)
    try running.wait("the window") { running.focused?.identifiers == ["mpv"] }
    #expect(running.focused?.isFullscreen == false)
    #expect(running.focused?.output == "eDP-1")
    try reach("launcher", player, running)
    try running.wait("full screen") { running.focused?.isFullscreen == true }
    let reports = running.focusReports.count
    try reach("closed", player, running)
    try reach("unplug", player, running)
    try running.wait("no window") { running.focused == nil }
    #expect(running.focusReports.count == reports + 1, "a launcher with the keyboard is not a window")
    try running.wait("the end") { player.isDone || !player.problems.isEmpty }
    try running.wait("one output") { running.outputs.count == 1 }
    #expect(player.problems == [] && running.notes == [])
  }

  @Test func `a monitor without its own rule gets a complete rule`() throws {
    let (player, running) = try play("conf-0.47-no-rule")
    try reach("rotate right", player, running)
    #expect(try running.rotate("eDP-1", .rotated270).isSuccess)
    try reach("rotate back", player, running)
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    try running.wait("the end") { player.isDone || !player.problems.isEmpty }
    #expect(player.problems == [] && running.notes == [])
  }

  @Test func `lua rotates and restores the rotation after a reload`() throws {
    let (player, running) = try play("lua-0.56")
    try reach("rotate left", player, running)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    try reach("reload", player, running)
    try running.wait("the end") { player.isDone || !player.problems.isEmpty }
    #expect(player.problems == [] && running.notes == [])
    #expect(running.output("eDP-1")?.transform == .rotated90)
  }

  @Test func `a Hyprland that times out is used again later`() throws {
    var isAwake = false
    var channel: (any CompositorChannel)?
    let (running, hyprland) = try start(timeout: 1, captured: { channel = $0 }) { request in
      guard isAwake else { return nil }
      return request == "j/monitors all"
        ? #"[{"name":"eDP-1","width":800,"height":600,"disabled":false}]"# : "{}"
    }
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("no answer within"))
    isAwake = true
    channel?.timeout = EventLoop.limit
    hyprland.sendEvent("monitoradded>>eDP-1")
    try running.wait("outputs") { running.outputs.map(\.name) == ["eDP-1"] }
    #expect(running.notes.count == 1 && running.gone.isEmpty, "\(running.notes)")
  }

  /// Often there is no event after it.
  @Test func `a reading that timed out is repeated without an event`() throws {
    var isAwake = false
    var hasReadDevices = false
    var channel: (any CompositorChannel)?
    let backoff = Backoff(first: 1_000_000, longest: 1_000_000)
    let (running, _) = try start(timeout: 1, backoff: backoff, captured: { channel = $0 }) { request in
      guard isAwake else { return nil }
      if request == "j/devices" { hasReadDevices = true }
      return request == "j/monitors all"
        ? #"[{"name":"eDP-1","width":800,"height":600,"disabled":false}]"# : "{}"
    }
    try running.wait("the note") { !running.notes.isEmpty }
    isAwake = true
    channel?.timeout = EventLoop.limit
    try running.wait("the outputs and devices") { running.output("eDP-1") != nil && hasReadDevices }
    try running.loop.settle()
    #expect(running.notes.count == 1, "\(running.notes)")
  }

  @Test(arguments: ["", "[", "null", "unknown request", "{}", "[[[", #"[{"name":4}]"#])
  func `invalid answers are noted once`(_ garbage: String) throws {
    let (running, hyprland) = try start { _ in garbage }
    for _ in 0..<3 { #expect(try !running.rotate("eDP-1", .rotated90).isSuccess) }
    for line in ["", ">>", "activewindowv2", "configreloaded>>", String(repeating: "x", count: 100_000)] {
      hyprland.sendEvent(line)
    }
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.notes.count <= 1 && running.gone.isEmpty, "\(running.notes)")
  }

  @Test func `the end of Hyprland is reported once`() throws {
    let (running, hyprland) = try start { _ in "[]" }
    try running.wait("outputs") { !running.events.isEmpty }
    hyprland.end()
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone == ["Hyprland has ended"])
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
  }

  /// It applies monitor rules when it draws a frame, which a busy machine does late.
  @Test func `an accepted rotation that was not applied is requested again`() throws {
    var (requests, transform) = (0, 0)
    let (running, _) = try start { request in
      if request == "j/monitors all" {
        return #"[{"name":"eDP-1","width":800,"height":600,"disabled":false,"transform":\#(transform)}]"#
      }
      guard request.contains("transform") else { return "{}" }
      requests += 1
      if requests > 3 { transform = 1 }
      return "ok"
    }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(requests == 4)
  }

  /// Its event may come after the rotation.
  @Test func `the configuration language is read again after a refusal`() throws {
    var (isLua, transform) = (false, 0)
    let (running, hyprland) = try start { request in
      switch request {
      case "j/monitors all":
        return #"[{"name":"eDP-1","width":800,"height":600,"disabled":false,"transform":\#(transform)}]"#
      case let text where text.hasPrefix("/keyword"): return "no"
      case "/eval return 1": return isLua ? "ok" : "no"
      case let text where text.hasPrefix("/eval hl.monitor") && isLua:
        transform = 1
        return "ok"
      default: return "{}"
      }
    }
    try running.wait("the language") { hyprland.asked.contains("/eval return 1") && !running.outputs.isEmpty }
    isLua = true
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.output("eDP-1")?.transform == .rotated90)
  }

  @Test func `a refusal is quoted`() throws {
    let (running, _) = try start { request in
      switch request {
      case "j/monitors all": #"[{"name":"eDP-1","width":800,"height":600,"disabled":false}]"#
      case let text where text.hasPrefix("/keyword"): "Invalid scale"
      default: "{}"
      }
    }
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("Invalid scale"))
  }
}
