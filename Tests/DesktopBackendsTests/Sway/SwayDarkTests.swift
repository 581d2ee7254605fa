// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Outputs that go dark and are lit again, against a sway that does what a test says.
@Suite("a sway in the dark", .serialized)
@MainActor
struct SwayDarkTests {
  private func start(
    wayland: Fake? = nil, _ prepare: (FakeSway) -> Void = { _ in }
  ) throws -> (FakeSway, RunningDesktop) {
    var sway: FakeSway?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeSway(loop: loop)
      fake.version = (1, 10, 1)
      prepare(fake)
      sway = fake
      let context = CompositorContext(loop: loop, patience: EventLoop.limit, note: note)
      let connect = { wayland.flatMap { try? WaylandConnection(display: $0.path) } }
      let socket = try CompositorSocket(connectingTo: fake.path)
      return try CompositorBackend(SwayDialect(socket, context, wayland: connect), context)
    }
    let fake = try #require(sway)
    running.other = fake
    try running.wait("outputs") { !running.events.isEmpty && fake.requests.contains(4) }
    return (fake, running)
  }

  private func isLit(_ running: RunningDesktop) -> Bool { running.output("eDP-1")?.isActive ?? false }

  /// What is told when a turn has failed.
  private func failure(_ running: RunningDesktop, _ transform: DisplayTransform = .turned90) throws -> [Event]
  {
    let before = running.events.count
    var told: [Event] = []
    var sentence: String?
    running.backend.apply(transform, to: "eDP-1") { result in
      sentence = result.sentence
      // That no window has the focus may be reported meanwhile.
      told = running.events[before...].filter { $0 != .focusChanged(nil) }
    }
    try running.wait("the end of a turn") { sentence != nil }
    #expect(sentence != "")
    return told
  }

  @Test func anOutputWithoutPowerIsNotActive() throws {
    let (sway, running) = try start()
    #expect(isLit(running))
    sway.switchPower(false)
    try running.wait("the dark") { !isLit(running) }
    sway.switchPower(true)
    try running.wait("the light") { isLit(running) }
    #expect(sway.commands.isEmpty)
  }

  @Test func aTurnThatMeetsTheDarkMovesNothingAndTellsTheDarkFirst() throws {
    let (sway, running) = try start()
    sway.answer = { [unowned sway] request, _ in
      // It goes dark in the moment in which it is told.
      if request == .runCommand { sway.heads[0].hasPower = false }
      return nil
    }
    let told = try failure(running)
    #expect(!isLit(running) && told.count == 1, "\(told)")
    #expect(sway.heads.map(\.x) == [0, 1280])
    #expect(sway.heads[0].kept ?? "normal" == "normal")
    sway.answer = { _, _ in nil }
    sway.switchPower(true)
    try running.wait("the light") { isLit(running) }
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  @Test func aNeighbourThatIsSwitchedOffDoesNotMakeThePanelDark() throws {
    let (sway, running) = try start {
      $0.version = (1, 7, 0)
      $0.hidesDarkness = true
      $0.heads[1].hasPower = false
    }
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(isLit(running) && sway.heads[0].transform == "270" && sway.heads[1].x == 1280)
  }

  @Test func whatIsPutBackIsTheLayoutBeforeTheFirstAttempt() throws {
    let (sway, running) = try start()
    // The neighbour moves and the panel refuses, for whatever reason.
    sway.answer = { [unowned sway] request, text in
      guard request == .runCommand, text.contains("transform 270") else { return nil }
      sway.heads[1].x = 800
      return FakeSway.frame(0, #"[{"success": true}, {"success": true}]"#)
    }
    for _ in 0..<2 {
      #expect(try running.turn("eDP-1", .turned90).sentence.contains("as before"))
      #expect(sway.heads.map(\.x) == [0, 1280])
    }
    sway.answer = { _, _ in nil }
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  @Test func aDarkNeighbourDoesNotHinder() throws {
    let (sway, running) = try start()
    sway.switchPower(false, of: ["HDMI-A-1"])
    sway.hidesDarkness = false
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  // MARK: Before 1.9, which tells of no output

  @Test func anOldSwayIsAskedBeforeEachTurn() throws {
    let (sway, running) = try start { $0.version = (1, 7, 0) }
    sway.switchPower(false)
    #expect(try failure(running).count == 1)
    #expect(!isLit(running) && sway.commands.isEmpty)
    sway.switchPower(true)
    // Anything that it tells is a reason to ask.
    sway.tell(.window, #"{"change":"title"}"#)
    try running.wait("the light") { isLit(running) }
    sway.heads[0].width = 1600
    sway.heads[1].x = 1600
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
    #expect(try running.turn("eDP-1", .none).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 1600])
  }

  @Test func `an old sway is asked for the light though nobody reports it`() throws {
    let wayland = try Fake("output eDP-1 1280 800", "seat")
    let (sway, running) = try start(wayland: wayland) { $0.version = (1, 7, 0) }
    sway.switchPower(false)
    #expect(try failure(running).count == 1)
    // The looks after it went dark are over.
    try running.wait("the slow looks") {
      try running.loop.runPending()
      return running.loop.nextTimer.map { $0 > PowerSchedule.shortInterval } ?? false
    }
    #expect(!isLit(running))
    sway.switchPower(true)
    try running.wait("the light") { isLit(running) }
    wayland.stop()
  }

  @Test func anOldSwayThatTakesATurnAndDoesNothingIsDark() throws {
    let (sway, running) = try start {
      $0.version = (1, 7, 0)
      $0.hidesDarkness = true
    }
    sway.switchPower(false)
    #expect(try failure(running).count == 1)
    #expect(!isLit(running))
    // sway has kept the turn, and does it itself.
    #expect(sway.heads[0].kept == "270")
    sway.tell(.workspace, #"{"change":"focus"}"#)
    try running.wait("a doubt") { isLit(running) && sway.heads[0].kept == "normal" }
    #expect(try failure(running).count == 1)
    sway.switchPower(true)
    sway.heads[1].x = 800
    sway.tell(.workspace, #"{"change":"focus"}"#)
    try running.wait("the light") { isLit(running) }
  }

  // MARK: Neighbours that go and come

  @Test func aNeighbourThatIsAwayDuringATurnComesBackToItsPlace() throws {
    let (sway, running) = try start()
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
    sway.heads[1].isEnabled = false
    sway.tell(.output, #"{"change": "unspecified"}"#)
    try running.wait("it to be gone") { running.output("HDMI-A-1")?.isActive == false }
    #expect(try running.turn("eDP-1", .none).isSuccess)
    sway.heads[1].isEnabled = true
    sway.tell(.output, #"{"change": "unspecified"}"#)
    try running.wait("it to be back") { running.output("HDMI-A-1")?.isActive == true }
    #expect(sway.heads.map(\.x) == [0, 1280])
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    #expect(sway.heads.map(\.x) == [0, 800])
  }

  @Test func aNeighbourThatWasMovedStaysWhereItIs() throws {
    let (sway, running) = try start { $0.version = (1, 7, 0) }
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    sway.heads[0].x = 1024
    sway.heads[1].x = 0
    #expect(try running.turn("eDP-1", .none).isSuccess)
    #expect(sway.heads.map(\.x) == [1024, 0])
  }
}
