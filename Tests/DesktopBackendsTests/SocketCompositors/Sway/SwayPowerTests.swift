// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Outputs that are switched off and on again, with a fake sway.
@Suite("power of sway's outputs", .serialized)
@MainActor
struct SwayPowerTests {
  private func start(
    wayland: Fake? = nil, _ prepare: (FakeSway) -> Void = { _ in }
  ) throws -> (FakeSway, RunningDesktop) {
    var sway: FakeSway?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeSway(loop: loop)
      fake.version = (1, 10, 1)
      prepare(fake)
      sway = fake
      let context = CompositorContext(loop: loop, timeout: EventLoop.limit, note: note)
      let connect = { wayland.flatMap { try? WaylandConnection(display: $0.path) } }
      let socket = try CompositorSocket(connectingTo: fake.path)
      return try CompositorBackend(SwayDialect(socket, context, wayland: connect), context)
    }
    let fake = try #require(sway)
    running.other = fake
    try running.wait("outputs") { !running.events.isEmpty && fake.requests.contains(4) }
    return (fake, running)
  }

  private func isLit(_ running: RunningDesktop, _ output: String = "eDP-1") -> Bool {
    running.output(output)?.isActive ?? false
  }

  /// The events reported when a rotation fails.
  private func failure(
    _ running: RunningDesktop, _ transform: DisplayTransform = .rotated90, of output: String = "eDP-1"
  ) throws -> [Event] {
    let before = running.events.count
    var reported: [Event] = []
    var sentence: String?
    running.backend.apply(transform, to: output) { result in
      sentence = result.sentence
      // Meanwhile it may be reported that no window has the focus.
      reported = running.events[before...].filter { $0 != .focusChanged(nil) }
    }
    try running.wait("the end of a rotation") { sentence != nil }
    #expect(sentence != "")
    return reported
  }

  @Test func `an output without power is not active`() throws {
    let (sway, running) = try start()
    #expect(isLit(running))
    sway.setPower(false)
    try running.wait("power off") { !isLit(running) }
    sway.setPower(true)
    try running.wait("power on") { isLit(running) }
    #expect(sway.commands.isEmpty)
  }

  @Test func `power off during a rotation is reported first`() throws {
    let (sway, running) = try start()
    sway.answer = { [unowned sway] request, _ in
      // It goes off when it receives the command.
      if request == .runCommand { sway.heads[0].hasPower = false }
      return nil
    }
    let reported = try failure(running)
    #expect(!isLit(running) && reported.count == 1, "\(reported)")
    #expect(sway.heads.map(\.x) == [0, 1280])
    #expect(sway.heads[0].stored ?? "normal" == "normal")
    sway.answer = { _, _ in nil }
    sway.setPower(true)
    try running.wait("power on") { isLit(running) }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  @Test func `a neighbour that is off does not affect the panel`() throws {
    let (sway, running) = try start {
      $0.version = (1, 7, 0)
      $0.hidesPower = true
      $0.heads[1].hasPower = false
    }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(isLit(running) && sway.heads[0].transform == "270" && sway.heads[1].x == 1280)
  }

  @Test func `the layout before the first attempt is restored`() throws {
    let (sway, running) = try start()
    // The neighbour moves, but the panel does not rotate.
    sway.answer = { [unowned sway] request, text in
      guard request == .runCommand, text.contains("transform 270") else { return nil }
      sway.heads[1].x = 800
      return FakeSway.frame(0, #"[{"success": true}, {"success": true}]"#)
    }
    for _ in 0..<2 {
      #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("as before"))
      #expect(sway.heads.map(\.x) == [0, 1280])
    }
    sway.answer = { _, _ in nil }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  @Test func `a neighbour that is off is placed`() throws {
    let (sway, running) = try start()
    sway.setPower(false, of: ["HDMI-A-1"])
    sway.hidesPower = false
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  // MARK: Titles

  /// A focused window with the title "a".
  private func startWithTitle(isWatched: Bool = true) throws -> (FakeSway, RunningDesktop) {
    let (sway, running) = try start {
      $0.tree =
        #"{"id":1,"type":"root","focus":[3],"nodes":[{"id":3,"type":"con","pid":7,"app_id":"mpv","name":"a"}]}"#
    }
    try running.wait("the window") { running.focused?.identifiers == ["mpv"] }
    guard isWatched else { return (sway, running) }
    running.backend.watchTitles(true)
    try running.wait("the title") { running.focused?.title == "a" }
    return (sway, running)
  }

  @Test func `titles are read only while they are watched`() throws {
    let (sway, running) = try startWithTitle(isWatched: false)
    let trees = { sway.requests.count { $0 == SwayMessage.Request.getTree.rawValue } }
    let before = trees()
    sway.sendEvent(.window, #"{"change":"title"}"#)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(trees() == before && running.focused?.title == nil)
    running.backend.watchTitles(true)
    try running.wait("the title") { running.focused?.title == "a" }
    sway.tree = sway.tree.replacing(#""name":"a""#, with: #""name":"b""#)
    sway.sendEvent(.window, #"{"change":"title"}"#)
    try running.wait("the new title") { running.focused?.title == "b" }
  }

  /// It may change its title without pause, and each reading is of all windows.
  @Test func `the title of a window in the background is not read`() throws {
    let (sway, running) = try startWithTitle()
    sway.tree = sway.tree.replacing(#""name":"a""#, with: #""name":"b""#)
    sway.sendEvent(.window, #"{"change":"title","container":{"id":4,"focused":false}}"#)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.focused?.title == "a")
    // A launcher may have the keyboard.
    sway.sendEvent(.window, #"{"change":"title","container":{"id":3,"focused":false}}"#)
    try running.wait("the new title") { running.focused?.title == "b" }
    sway.tree = sway.tree.replacing(#""name":"b""#, with: #""name":"c""#)
    // Its focus may not be read yet.
    sway.sendEvent(.window, #"{"change":"title","container":{"id":4,"focused":true}}"#)
    try running.wait("the next title") { running.focused?.title == "c" }
  }

  /// A title that changes without pause made sway describe all windows as often.
  @Test func `the title of the focused window comes from the event`() throws {
    let (sway, running) = try startWithTitle()
    let trees = { sway.requests.count { $0 == SwayMessage.Request.getTree.rawValue } }
    let before = trees()
    let send = { (app: String, title: String) in
      let window = #"{"id":3,"pid":7,"app_id":"\#(app)","name":"\#(title)"}"#
      sway.sendEvent(.window, #"{"change":"title","container":\#(window)}"#)
    }
    for number in 1...100 { send("mpv", "\(number)") }
    try running.wait("the last title") { running.focused?.title == "100" }
    #expect(trees() == before)
    sway.tree = sway.tree.replacing("mpv", with: "vlc")
    send("vlc", "b")
    try running.wait("the new app") { running.focused?.identifiers == ["vlc"] }
  }

  // MARK: Before 1.9, without output events

  @Test func `an old sway is read before each rotation`() throws {
    let (sway, running) = try start { $0.version = (1, 7, 0) }
    sway.setPower(false)
    #expect(try failure(running).count == 1)
    #expect(!isLit(running) && sway.commands.isEmpty)
    sway.setPower(true)
    // Any event triggers a reading.
    sway.sendEvent(.window, #"{"change":"title"}"#)
    try running.wait("power on") { isLit(running) }
    sway.heads[0].width = 1600
    sway.heads[1].x = 1600
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 1600])
  }

  @Test func `an old sway is polled for power on`() throws {
    let wayland = try Fake("output eDP-1 1280 800", "seat")
    let (sway, running) = try start(wayland: wayland) { $0.version = (1, 7, 0) }
    sway.setPower(false)
    #expect(try failure(running).count == 1)
    // The frequent checks after power off are over.
    try running.wait("the slow checks") {
      try running.loop.runPending()
      return running.loop.nextTimer.map { $0 > PowerSchedule.shortInterval } ?? false
    }
    #expect(!isLit(running))
    sway.setPower(true)
    try running.wait("power on") { isLit(running) }
    wayland.stop()
  }

  /// Without an event of sway, by the idle notifications of its Wayland socket.
  @Test func `an old sway is asked for power off only while that matters`() throws {
    let wayland = try Fake("output eDP-1 1280 800", "seat")
    let (sway, running) = try start(wayland: wayland) { $0.version = (1, 7, 0) }
    running.backend.watchForBlanking(true)
    try running.wait("a watch of the user") { wayland.can("idle") }
    sway.setPower(false)
    try running.wait("power off") {
      _ = wayland.can("idle")
      return !isLit(running)
    }
    running.backend.visibilityChanged(isVisible: false)
    try running.loop.settle()
    sway.setPower(true)
    running.backend.visibilityChanged(isVisible: true)
    try running.wait("power on") { isLit(running) }
    running.backend.watchForBlanking(false)
    try running.loop.settle()
    wayland.stop()
  }

  @Test func `a rotation that an old sway cannot apply does not mean power off`() throws {
    let (sway, running) = try start { $0.version = (1, 7, 0) }
    sway.answer = { request, _ in request == .runCommand ? FakeSway.frame(0, #"[{"success": true}]"#) : nil }
    _ = try failure(running)
    #expect(isLit(running))
    sway.answer = { _, _ in nil }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
  }

  @Test func `an ignored rotation of a headless output means power off in an old sway`() throws {
    let (sway, running) = try start {
      $0.version = (1, 7, 0)
      $0.hidesPower = true
      $0.heads[0].name = "HEADLESS-1"
    }
    sway.setPower(false, of: ["HEADLESS-1", "HDMI-A-1"])
    #expect(try failure(running, of: "HEADLESS-1").count == 1)
    #expect(!isLit(running, "HEADLESS-1"))
    // sway has stored the rotation, and will apply it itself.
    #expect(sway.heads[0].stored == "270")
    sway.sendEvent(.workspace, #"{"change":"focus"}"#)
    try running.wait("the retry") { isLit(running, "HEADLESS-1") && sway.heads[0].stored == "normal" }
    #expect(try failure(running, of: "HEADLESS-1").count == 1)
    sway.setPower(true, of: ["HEADLESS-1", "HDMI-A-1"])
    sway.heads[1].x = 800
    sway.sendEvent(.workspace, #"{"change":"focus"}"#)
    try running.wait("power on") { isLit(running, "HEADLESS-1") }
  }

  // MARK: Neighbours that are disabled and enabled

  @Test func `a neighbour disabled during a rotation returns to its place`() throws {
    let (sway, running) = try start()
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
    sway.heads[1].isEnabled = false
    sway.sendEvent(.output, #"{"change": "unspecified"}"#)
    try running.wait("its removal") { running.output("HDMI-A-1")?.isActive == false }
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    sway.heads[1].isEnabled = true
    sway.sendEvent(.output, #"{"change": "unspecified"}"#)
    try running.wait("its return") { running.output("HDMI-A-1")?.isActive == true }
    #expect(sway.heads.map(\.x) == [0, 1280])
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  @Test func `a neighbour moved by the user stays`() throws {
    let (sway, running) = try start { $0.version = (1, 7, 0) }
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    sway.heads[0].x = 1024
    sway.heads[1].x = 0
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    #expect(sway.heads.map(\.x) == [1024, 0])
  }
}
