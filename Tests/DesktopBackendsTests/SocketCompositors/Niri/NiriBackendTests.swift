// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Uses exchanges written from niri's source, since it does not run without a GPU.
@Suite("niri", .serialized)
@MainActor
struct NiriBackendTests {
  private func play(_ name: String) throws -> (ExchangePlayer, RunningDesktop) {
    let player = ExchangePlayer(Exchange("Niri/Exchanges/\(name).exchange"))
    let (running, _) = try start(listens: { player.listens($0) }) { player.answer($0) }
    return (player, running)
  }

  /// - Parameter answer: the answer to a line; `nil` for none.
  private func start(
    timeout: Int64 = EventLoop.limit, captured: (any CompositorChannel) -> Void = { _ in },
    listens: @escaping (FakeServer.Client) -> Void = { _ in }, answer: @escaping (String) -> String?
  ) throws -> (RunningDesktop, FakeServer) {
    var server: FakeServer?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeServer(loop: loop) { client in
        guard client.received.last == UInt8(ascii: "\n") else { return }
        let line = String(decoding: client.consume(client.received.count).dropLast(), as: UTF8.self)
        if line == "\"EventStream\"" { return listens(client) }
        if let reply = answer(line) { client.write(reply + "\n") }
      }
      server = fake
      let socket = try CompositorSocket(connectingTo: fake.path)
      let context = CompositorContext(loop: loop, timeout: timeout, note: note)
      let dialect = try NiriDialect(path: fake.path, socket: socket, context)
      captured(dialect.channel)
      return try CompositorBackend(dialect, context)
    }
    running.other = server
    return (running, try #require(server))
  }

  private func reach(_ place: String, _ player: ExchangePlayer, _ running: RunningDesktop) throws {
    try running.wait("“\(place)”") { player.isAt(place) || !player.problems.isEmpty }
    #expect(player.problems == [])
    player.resume()
  }

  @Test func `outputs with a position are rotated and placed`() throws {
    let (player, running) = try play("places-25.11")
    try reach("rotate left", player, running)
    #expect(running.outputs.map(\.name) == ["HDMI-A-1", "eDP-1"])
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    try reach("fullscreen", player, running)
    #expect(running.output("eDP-1")?.transform == .rotated90)
    try running.wait("full screen") { running.focused?.isFullscreen == true }
    #expect(running.focused?.identifiers == ["foot"] && running.focused?.output == "eDP-1")
    try reach("other", player, running)
    try running.wait("the other window") { running.focused?.identifiers == ["mpv"] }
    #expect(running.focused?.output == "HDMI-A-1")
    let reports = running.focusReports.count
    try reach("launcher", player, running)
    try reach("closed", player, running)
    try running.wait("no window") { running.focused == nil }
    #expect(running.focusReports.count == reports + 1, "a launcher with the keyboard is not a window")
    try reach("reload", player, running)
    try running.wait("the end") { player.isDone || !player.problems.isEmpty }
    #expect(player.problems == [] && running.notes == [])
    #expect(running.output("eDP-1")?.transform == .rotated90)
  }

  @Test func `automatic places are left to niri`() throws {
    let (player, running) = try play("automatic-0.1.10")
    try reach("rotate right", player, running)
    #expect(running.focused?.identifiers == ["org.mozilla.firefox"])
    #expect(try running.rotate("eDP-1", .rotated270).isSuccess)
    try reach("refused", player, running)
    #expect(try running.rotate("eDP-1", .rotated180).sentence.contains("error parsing request"))
    try running.wait("the end") { player.isDone || !player.problems.isEmpty }
    #expect(running.output("eDP-1")?.transform == .rotated270)
  }

  @Test func `a niri that times out is used again later`() throws {
    var isAwake = false
    var channel: (any CompositorChannel)?
    let (running, server) = try start(timeout: 1, captured: { channel = $0 }) { _ in
      isAwake ? #"{"Ok":{"Outputs":{"eDP-1":{"modes":[],"logical":{"width":800,"height":600}}}}}"# : nil
    }
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("no answer within"))
    isAwake = true
    channel?.timeout = EventLoop.limit
    server.clients.first?.write(#"{"WorkspacesChanged":{"workspaces":[]}}"# + "\n")
    try running.wait("outputs") { running.outputs.map(\.name) == ["eDP-1"] }
    #expect(running.notes.count == 1 && running.gone.isEmpty, "\(running.notes)")
  }

  @Test(arguments: [
    "", "{", "null", #"{"Ok":null}"#, #"{"Err":"no"}"#, #"{"Ok":{"Outputs":{"a":3}}}"#, "[1]",
  ])
  func `invalid answers are noted once`(_ garbage: String) throws {
    let (running, server) = try start { _ in garbage }
    for _ in 0..<3 { #expect(try !running.rotate("eDP-1", .rotated90).isSuccess) }
    for line in [
      "", "{", "[]", #"{"WindowsChanged":{"windows":[{"id":"x"}]}}"#, #"{"WindowLayoutsChanged":3}"#,
    ] {
      server.clients.first?.write(line + "\n")
    }
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.notes.count <= 1 && running.gone.isEmpty, "\(running.notes)")
  }

  @Test func `the end of niri is reported once`() throws {
    let (running, server) = try start { _ in #"{"Ok":{"Outputs":{}}}"# }
    try running.wait("outputs") { !running.events.isEmpty }
    server.end()
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone == ["niri has ended"])
  }
}
