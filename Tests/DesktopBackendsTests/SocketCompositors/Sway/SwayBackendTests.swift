// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

/// With a fake sway.
@Suite("sway", .serialized)
@MainActor
struct SwayBackendTests {
  private func start(
    _ settings: DisplaySettings = DisplaySettings(), _ prepare: (FakeSway) -> Void = { _ in }
  ) throws -> (FakeSway, RunningDesktop) {
    var sway: FakeSway?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeSway(loop: loop)
      prepare(fake)
      sway = fake
      let socket = try CompositorSocket(connectingTo: fake.path)
      let context = CompositorContext(loop: loop, settings: settings, timeout: EventLoop.limit, note: note)
      let dialect = try SwayDialect(socket, context)
      fake.channel = dialect.channel
      return try CompositorBackend(dialect, context)
    }
    running.other = sway
    return (try #require(sway), running)
  }

  @Test func `the outputs are reported first`() throws {
    let (_, running) = try start()
    try running.wait("a report") { !running.events.isEmpty }
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    let monitor = Output(
      name: "HDMI-A-1", isBuiltIn: false, isExternal: true, x: 1280, width: 1024, height: 768)
    #expect(running.events.first == .outputsChanged([panel, monitor]))
  }

  @Test func `a rotation uses sway's angles and moves the neighbour`() throws {
    let (sway, running) = try start()
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(
      sway.commands.prefix(2) == [
        #"output "eDP-1" transform 270 position 0 0"#, #"output "HDMI-A-1" position 800 0"#,
      ])
    #expect(running.output("eDP-1")?.transform == .rotated90)
    #expect(try running.rotate("eDP-1", .rotated270).isSuccess)
    #expect(sway.heads.map(\.transform) == ["90", "normal"])
    #expect(try running.rotate("eDP-1", .rotated180).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 1280])
  }

  private func change(_ sway: FakeSway, _ running: RunningDesktop, _ how: (FakeSway) -> Void) throws {
    how(sway)
    let asked = sway.requests.count
    sway.sendEvent(.output, #"{"change": "unspecified"}"#)
    try running.wait("another reading") { sway.requests.count > asked }
    try running.wait("its result") { running.outputs.map(\.isActive) == sway.heads.map(\.isEnabled) }
  }

  @Test func `a neighbour disabled before the first rotation is placed`() throws {
    let (sway, running) = try start { $0.version = (1, 10, 1) }
    try running.wait("outputs") { !running.events.isEmpty }
    try change(sway, running) { $0.heads[1].isEnabled = false }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads[1].x == 800)
  }

  @Test func `a disabled neighbour is placed after external rotations`() throws {
    let (sway, running) = try start { $0.version = (1, 10, 1) }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    try change(sway, running) { $0.heads[1].isEnabled = false }
    try change(sway, running) { $0.heads[0].transform = "normal" }
    try running.wait("the external rotation") { running.output("eDP-1")?.transform == DisplayTransform.none }
    #expect(try running.rotate("eDP-1", .rotated270).isSuccess)
    #expect(sway.heads[1].x == 800)
    try change(sway, running) { $0.heads[0].transform = "180" }
    try running.wait("the external rotation") { running.output("eDP-1")?.transform == .rotated180 }
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(try running.rotate("eDP-1", .rotated180).isSuccess)
    #expect(sway.heads[1].x == 1280)
  }

  @Test func `no command is sent for the current transform`() throws {
    let (sway, running) = try start()
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    #expect(sway.commands.isEmpty)
  }

  @Test func `the command and the check are sent together`() throws {
    let (sway, running) = try start { $0.version = (1, 10, 1) }
    try running.wait("outputs") { !running.events.isEmpty }
    sway.answer = { _, _ in [] }
    let asked = sway.requests.count
    var isOver = false
    running.backend.apply(.rotated90, to: "eDP-1") { _ in isOver = true }
    try running.wait("both") { sway.requests[asked...].filter { $0 == 0 || $0 == 3 }.count == 2 }
    #expect(sway.requests[asked...].filter { $0 == 0 || $0 == 3 } == [0, 3] && !isOver)
  }

  @Test func `a flipped image stays flipped`() throws {
    let (sway, running) = try start { $0.heads[0].transform = "flipped" }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads[0].transform == "flipped-270")
    #expect(running.output("eDP-1")?.transform == .rotated90)
  }

  @Test func `simultaneous requests are handled in order`() throws {
    let (sway, running) = try start()
    var done: [Int] = []
    running.backend.apply(.rotated90, to: "eDP-1") { _ in done.append(1) }
    running.backend.apply(.rotated180, to: "eDP-1") { _ in done.append(2) }
    try running.wait("both") { done.count == 2 }
    #expect(done == [1, 2])
    #expect(sway.heads[0].transform == "180")
  }

  @Test func `an external rotation between two rotations is reported`() throws {
    let (sway, running) = try start { $0.version = (1, 10, 1) }
    try running.wait("outputs") { !running.events.isEmpty }
    try running.rotateBackBetweenRotations {
      sway.heads[0].transform = "normal"
      sway.heads[1].x = 1280
    }
  }

  @Test func `an unknown output is named`() throws {
    let (_, running) = try start()
    #expect(try running.rotate("DP-9", .rotated90).sentence.contains("connected: eDP-1, HDMI-A-1"))
  }

  /// sway 1.7 reports `success` for a head that it considers disabled.
  @Test func `success without effect is a failure`() throws {
    let (_, running) = try start { sway in
      sway.answer = { request, _ in
        request == .runCommand ? FakeSway.frame(0, #"[{"success": true}]"#) : nil
      }
    }
    let start = EventLoop.now
    let result = try running.rotate("eDP-1", .rotated90)
    #expect(EventLoop.now - start >= 600_000_000, "it waits for a sway that answers before it rotates")
    #expect(result.sentence.contains("as before") && result.sentence.contains("nothing changed"), "\(result)")
  }

  @Test func `a refusal is quoted`() throws {
    let (_, running) = try start { sway in
      sway.answer = { request, _ in
        request == .runCommand
          ? FakeSway.frame(0, #"[{"success": true}, {"success": false, "error": "No such thing"}]"#) : nil
      }
    }
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("No such thing"))
  }

  /// sway since 1.10 may answer before it rotates.
  @Test func `a rotation after the answer is a success`() throws {
    let (sway, running) = try start()
    var late = ""
    sway.answer = { request, text in
      guard request == .runCommand else { return nil }
      late = text
      return FakeSway.frame(0, #"[{"success": true}, {"success": true}]"#)
    }
    var result: Result<Void, Message>?
    running.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
    try running.wait("a check") {
      sway.requests.lastIndex(of: 0).map { sway.requests[$0...].contains(3) } ?? false
    }
    sway.answer = { _, _ in nil }
    _ = sway.usual(.runCommand, late)
    sway.sendEvent(.output, #"{"change": "unspecified"}"#)
    try running.wait("the end") { result != nil }
    #expect(result?.isSuccess == true)
  }

  @Test func `a sway that times out is used again later`() throws {
    let (sway, running) = try start { $0.version = (1, 10, 1) }
    try running.wait("outputs") { !running.events.isEmpty }
    // Earlier requests are answered: their time limit is the longer one.
    try running.loop.runPending()
    var unanswered: [(UInt32, String)] = []
    sway.answer = { request, text in
      unanswered.append((request.rawValue, text))
      return []
    }
    sway.timeout = 1
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("no answer within"))
    try running.wait("the timeout of the reading after it") { running.notes.count == 1 }
    sway.timeout = EventLoop.limit
    sway.answer = { _, _ in nil }
    // sway now handles the requests it received then.
    for (type, text) in unanswered {
      guard let request = SwayMessage.Request(rawValue: type) else { continue }
      sway.server?.clients.forEach { $0.write(FakeSway.frame(type, sway.usual(request, text))) }
    }
    try running.wait("the rotation") { running.output("eDP-1")?.transform == .rotated90 }
    #expect(try running.rotate("eDP-1", .rotated180).isSuccess)
    #expect(running.notes.count == 1)
    #expect(running.gone.isEmpty)
  }

  @Test func `the end of sway is reported once`() throws {
    let (sway, running) = try start()
    try running.wait("outputs") { !running.events.isEmpty }
    sway.answer = { [unowned sway] request, _ in
      if request == .runCommand { sway.end() }
      return nil
    }
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone == ["sway has ended"])
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
  }

  nonisolated private static func bytes(_ text: String, _ rest: UInt8...) -> [UInt8] {
    Array(text.utf8) + rest
  }

  @Test(arguments: [
    bytes("i4-ipc", 0, 0, 0, 0, 3, 0, 0, 0), bytes("i3-ipc", 255, 255, 255, 255, 3, 0, 0, 0),
    bytes("i3-ipc", 2, 0, 0, 0, 77, 0, 0, 0, UInt8(ascii: "{"), UInt8(ascii: "}")),
    bytes("HTTP/1.1 400 Bad Request\r\n"),
  ])
  func `a peer with another protocol ends the backend`(_ bytes: [UInt8]) throws {
    let (_, running) = try start { sway in sway.answer = { _, _ in bytes } }
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone.count == 1 && running.gone[0].contains("makes no sense"), "\(running.gone)")
  }

  @Test(arguments: ["", "{", "[1,2", "null", "[]]", "\u{0}", #"{"change":}"#, #"[{"name":3}]"#])
  func `invalid JSON is noted once`(_ garbage: String) throws {
    let (sway, running) = try start()
    try running.wait("outputs") { !running.events.isEmpty }
    let before = running.output("eDP-1")
    sway.answer = { request, _ in
      request == .runCommand ? nil : FakeSway.frame(request.rawValue, garbage)
    }
    for _ in 0..<3 { #expect(try !running.rotate("eDP-1", .rotated90).isSuccess) }
    for event in [SwayMessage.Event.window, .workspace, .input] { sway.sendEvent(event, garbage) }
    sway.sendEvent(.window, #"{"change":"focus"}"#)
    sway.answer = { _, _ in nil }
    sway.heads[0].transform = "normal"
    sway.sendEvent(.workspace, #"{"change":"init"}"#)
    #expect(try running.rotate("eDP-1", .rotated180).isSuccess)
    try running.wait("the true state") { running.output("eDP-1")?.transform == .rotated180 }
    #expect(before != nil && running.notes.count <= 1, "\(running.notes)")
    #expect(running.gone.isEmpty)
  }

  @Test func `an answer in pieces is assembled`() throws {
    var messages = SwayMessages()
    var found: [SwayMessage] = []
    for byte in SwayMessage(.getTree, "{}").bytes + SwayMessage(.getOutputs, "").bytes {
      messages.append([byte])
      while let message = try messages.next() { found.append(message) }
    }
    #expect(found == [SwayMessage(.getTree, "{}"), SwayMessage(.getOutputs, "")])
  }

  @Test(arguments: [100, 1_000_000])
  func `a length that covers the next answer is found out at once`(_ surplus: Int) throws {
    var first = SwayMessage(.getTree, "{}" + String(repeating: " ", count: surplus)).bytes
    first.removeLast(surplus)
    var messages = SwayMessages()
    messages.append(first)
    #expect(try messages.next() == nil)
    messages.append(SwayMessage(.getOutputs, "[]").bytes)
    #expect(throws: Message.garbled("its length is wrong")) { try messages.next() }
  }

  @Test func `an output unplugged during a rotation is a failure`() throws {
    let (sway, running) = try start()
    sway.answer = { [unowned sway] request, _ in
      if request == .runCommand, sway.heads.count == 2 { sway.heads.removeFirst() }
      return nil
    }
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    try running.wait("the rest") { running.outputs.map(\.name) == ["HDMI-A-1"] }
  }

  @Test func `impossible numbers are tolerated`() throws {
    let (_, running) = try start { sway in
      sway.answer = { request, _ in
        request == .getOutputs
          ? FakeSway.frame(
            3,
            """
            [{"name":"eDP-1","active":true,"transform":"sideways","current_mode":{"width":-5,"height":9e99},
            "rect":{"x":9223372036854775807,"y":-9223372036854775808,"width":99999999999,"height":null}},
            {"name":"B","active":true,"rect":{"x":"1","y":[],"width":9223372036854775807,"height":1}}]
            """) : nil
      }
    }
    try running.wait("outputs") { !running.events.isEmpty }
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
  }
}
