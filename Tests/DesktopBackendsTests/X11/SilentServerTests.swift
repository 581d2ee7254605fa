// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  /// A server that is stopped, or grabbed by another client, answers nothing until it goes on.
  @Suite("a server that does not answer")
  @MainActor
  struct Silence {
    init() throws {
      try Bench.reset()
    }

    /// Replies are waited for as usual, and however long the server is silent, nobody is told.
    private static var untold: X11Patience {
      var patience = X11Patience.endless
      patience.replies = X11Patience().replies
      return patience
    }

    @Test func aStoppedServerDoesNotHoldTheLoopAndTurnsWhenItGoesOn() throws {
      let running = try RunningBackend(patience: Self.untold)
      let server = try StoppedServer()
      var result: Result<Void, Message>?
      running.backend.apply(.turned90, to: "eDP-1") { result = $0 }
      try running.loop.runPending()
      #expect(result == nil)
      server.goOn()
      try running.wait("the turn") { result != nil }
      try #require(result).get()
      try expectRight(.turned90)
      #expect(running.notes.sentences.isEmpty)
    }

    @Test func anotherClientsGrabIsToldOnceAndWaitedFor() throws {
      let running = try RunningBackend(patience: X11Patience())
      try running.turn("eDP-1", .turned180).get()
      let grab = try Grab()
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      try running.wait("the silence") { running.events.last == .displayPowerChanged(isOn: false) }
      #expect(running.notes.sentences.filter { $0.contains("does not answer") }.count == 1)
      let refused = try running.turn("eDP-1", .turned90)
      #expect("\(refused)".contains("does not answer"))
      grab.end()
      try running.wait("the answers") { running.events.last == .displayPowerChanged(isOn: true) }
      try running.turn("eDP-1", .turned90).get()
      try expectRight(.turned90)
      #expect(running.notes.sentences.filter { $0.contains("does not answer") }.count == 1)
    }

    /// What was sent cannot be called back: when the server goes on, that is what it shows.
    @Test func aTurnThatWasSentIsAnsweredLateAndTruly() throws {
      let running = try RunningBackend(patience: X11Patience())
      var result: Result<Void, Message>?
      running.backend.apply(.turned90, to: "eDP-1") { result = $0 }
      let server = try StoppedServer()
      try running.wait("the silence") {
        result != nil || running.events.last == .displayPowerChanged(isOn: false)
      }
      server.goOn()
      try running.wait("the turn") { result != nil }
      try #require(result).get()
      try expectRight(.turned90)
    }

    @Test func leavingAStoppedServerTakesNoTimeAndLeavesAllOrNothing() throws {
      let running = try RunningBackend(patience: Self.untold)
      _ = running.backend.disable(DisabledInput(names: ["Bench Mouse"]))
      running.backend.apply(.turned90, to: "eDP-1") { _ in }
      let server = try StoppedServer()
      running.backend.stop()
      server.goOn()
      let shown = try Bench.state().place(of: "eDP-1")?.randrRotation
      try expectRight(shown == 2 ? .turned90 : .none)
    }

    @Test func aServerThatIsStoppedAtTheStartIsWaitedFor() throws {
      let server = try StoppedServer()
      let loop = try EventLoop()
      let backend = try X11Backend(loop: loop, patience: Self.untold)
      var events: [Event] = []
      try backend.start(report: { events.append($0) }, gone: { Issue.record("gone: \($0)") })
      try loop.runPending()
      #expect(events.isEmpty)
      server.goOn()
      try loop.wait(for: "the first report") { !events.isEmpty }
      backend.stop()
    }

    @Test func lookingAtAStoppedServerEndsWithASentence() throws {
      let server = try StoppedServer()
      #expect(throws: Message.self) { try X11Inspection.look() }
      #expect(SessionDescription.look().x11 == .server)
      server.goOn()
    }

    /// A device that did not answer is not taken for one that has gone.
    @Test func whatAnswersLateIsNotTakenForGone() throws {
      let running = try RunningBackend(patience: Self.untold)
      let server = try StoppedServer()
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      try running.wait("the end of the patience") {
        running.backend.session?.connection.replies.areLate == true
      }
      server.goOn()
      try running.turn("eDP-1", .turned90).get()
      try expectRight(.turned90)
    }

    private func expectRight(_ transform: DisplayTransform) throws {
      let state = try Bench.state()
      let place = try #require(state.place(of: "eDP-1"))
      #expect(place.randrRotation == transform.randrRotation)
      #expect(try Bench.matrix(of: Bench.touchscreen).isClose(to: TouchMatrix.mapping(to: place)))
    }
  }
}

/// The bench's X server, stopped until it is let go on. Whoever waits for it on this thread would wait for ever: that
/// fails when it goes on by itself.
@MainActor
final class StoppedServer {
  private let process: pid_t
  private let watchdog: Watchdog

  init() throws {
    let connection = try X11Connection.connect(patience: EventLoop.limit)
    // A `ucred`, which Glibc's module lacks: process, user, group.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    try #require(getsockopt(connection.descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
    let process = pid_t(bitPattern: credentials[0])
    self.process = process
    watchdog = Watchdog { kill(process, SIGCONT) }
    kill(process, SIGSTOP)
  }

  isolated deinit {
    goOn()
  }

  func goOn() {
    #expect(!watchdog.hasActed, "the loop was held until the server went on")
    watchdog.letGo()
    kill(process, SIGCONT)
  }
}

/// Another client that keeps the X server for itself; see `StoppedServer`.
@MainActor
final class Grab {
  private var connection: X11Connection?
  private let watchdog: Watchdog

  init() throws {
    let connection = try X11Connection.connect(patience: EventLoop.limit)
    let descriptor = connection.descriptor
    watchdog = Watchdog { shutdown(descriptor, Int32(SHUT_RDWR)) }
    xcb_grab_server(connection.handle)
    // The answer tells that it is so.
    _ = try X11Extension("RANDR", connection)
    self.connection = connection
  }

  func end() {
    #expect(!watchdog.hasActed, "the loop was held until the server was free")
    watchdog.letGo()
    connection = nil
  }
}

extension OnServer {
  @Suite("several replies")
  @MainActor
  struct Replies {
    /// xcb keeps for ever what nobody takes.
    @Test func noReplyIsLeftBehindWhenOneOfSeveralFails() throws {
      let connection = try X11Connection.connect(patience: EventLoop.limit)
      let before = xcb_get_input_focus(connection.handle).sequence
      let request = CRTCRequest(connection.handle, 0xdead)
      let connector = ConnectorRequest(connection, 0xdead)
      let last = xcb_get_input_focus(connection.handle).sequence
      #expect(throws: Message.self) { try request.collect(connection) }
      #expect(throws: Message.self) { try connector.collect(connection) }
      _ = try connection.replies.take(last)
      #expect(last - before == 6)
      // What was not taken would come now.
      for sequence in before + 1..<last { #expect(try connection.replies.take(sequence) == nil) }
    }

    @Test func `a reply that comes too late is not kept`() throws {
      try Bench.reset()
      let connection = try X11Connection.connect(patience: 10_000_000_000)
      let replies = X11Replies(connection.handle, patience: 50_000_000)
      let server = try StoppedServer()
      let late = xcb_get_input_focus(connection.handle).sequence
      #expect(throws: Message.self) { try replies.take(late) }
      server.goOn()
      while !replies.beginPass() {
        _ = DescriptorWait.isReadable(connection.descriptor, until: EventLoop.now + 60_000_000_000)
      }
      #expect(try replies.take(late) == nil)
    }
  }
}
