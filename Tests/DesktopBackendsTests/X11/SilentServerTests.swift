// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System
import Testing

@testable import DesktopBackends

extension OnServer {
  /// A server that is stopped, or grabbed by another client, answers nothing until it goes on.
  @Suite("a server that does not answer")
  @MainActor
  struct Silence {
    /// A loop that waited for the server would be held for as long as that is stopped; 0.4 s are allowed, and the
    /// rest is for a loaded machine.
    static let limit: Int64 = 4_000_000_000

    init() throws {
      try Bench.reset()
    }

    @Test func aStoppedServerDoesNotHoldTheLoopAndTurnsWhenItGoesOn() throws {
      let running = try RunningBackend()
      let server = try StoppedServer()
      var result: Result<Void, Message>?
      let asking = time { running.backend.apply(.turned90, to: "eDP-1") { result = $0 } }
      #expect(asking < Self.limit)
      #expect(try longestPass(of: running, during: 1_500_000_000) < Self.limit)
      #expect(result == nil)
      server.goOn()
      try running.wait("the turn") { result != nil }
      try #require(result).get()
      try expectRight(.turned90)
      #expect(running.notes.sentences.isEmpty)
    }

    @Test func anotherClientsGrabIsToldOnceAndWaitedFor() throws {
      let running = try RunningBackend()
      try running.turn("eDP-1", .turned180).get()
      let grab = try Grab()
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      #expect(try longestPass(of: running, during: 5_000_000_000) < Self.limit)
      #expect(running.notes.sentences.filter { $0.contains("does not answer") }.count == 1)
      #expect(running.events.last == .displayPowerChanged(isOn: false))
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
      let running = try RunningBackend()
      var result: Result<Void, Message>?
      running.backend.apply(.turned90, to: "eDP-1") { result = $0 }
      let server = try StoppedServer()
      #expect(try longestPass(of: running, during: 2_600_000_000) < Self.limit)
      server.goOn()
      try running.wait("the turn") { result != nil }
      try #require(result).get()
      try expectRight(.turned90)
    }

    @Test func leavingAStoppedServerTakesNoTimeAndLeavesAllOrNothing() throws {
      let running = try RunningBackend()
      _ = running.backend.disable(DisabledInput(names: ["Bench Mouse"]))
      running.backend.apply(.turned90, to: "eDP-1") { _ in }
      let server = try StoppedServer()
      #expect(time { running.backend.stop() } < Self.limit)
      server.goOn()
      let shown = try Bench.state().place(of: "eDP-1")?.randrRotation
      try expectRight(shown == 2 ? .turned90 : .none)
    }

    @Test func aServerThatIsStoppedAtTheStartIsWaitedFor() throws {
      let server = try StoppedServer()
      let loop = try EventLoop()
      var backend: X11Backend?
      let starting = try time { backend = try X11Backend(loop: loop) }
      #expect(starting < Self.limit)
      var events: [Event] = []
      try backend?.start(report: { events.append($0) }, gone: { Issue.record("gone: \($0)") })
      try loop.runOnce(timeoutNanoseconds: 100_000_000)
      #expect(events.isEmpty)
      server.goOn()
      let end = EventLoop.now + 10_000_000_000
      while events.isEmpty, EventLoop.now < end { try loop.runOnce(timeoutNanoseconds: 20_000_000) }
      #expect(!events.isEmpty)
      backend?.stop()
    }

    @Test func lookingAtAStoppedServerEndsWithASentence() throws {
      let server = try StoppedServer()
      let looking = time {
        #expect(throws: Message.self) { try X11Inspection.look() }
      }
      #expect(looking < Self.limit)
      #expect(SessionDescription.look().x11 == .server)
      server.goOn()
    }

    /// A device that did not answer is not taken for one that has gone.
    @Test func whatAnswersLateIsNotTakenForGone() throws {
      let running = try RunningBackend()
      let server = try StoppedServer()
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      _ = try longestPass(of: running, during: 1_000_000_000)
      server.goOn()
      try running.turn("eDP-1", .turned90).get()
      try expectRight(.turned90)
    }

    private func time(_ work: () throws -> Void) rethrows -> Int64 {
      let began = EventLoop.now
      try work()
      return EventLoop.now - began
    }

    private func longestPass(of running: RunningBackend, during nanoseconds: Int64) throws -> Int64 {
      let end = EventLoop.now + nanoseconds
      var longest: Int64 = 0
      while EventLoop.now < end {
        longest = max(
          longest, try time { try running.loop.runOnce(timeoutNanoseconds: 10_000_000) })
      }
      return longest
    }

    private func expectRight(_ transform: DisplayTransform) throws {
      let state = try Bench.state()
      let place = try #require(state.place(of: "eDP-1"))
      #expect(place.randrRotation == transform.randrRotation)
      #expect(try Bench.matrix(of: Bench.touchscreen).isClose(to: TouchMatrix.mapping(to: place)))
    }
  }
}

/// The bench's X server, stopped until it is let go on.
@MainActor
final class StoppedServer {
  private let process: pid_t

  init() throws {
    let connection = try X11Connection.connect(patience: 10_000_000_000)
    // A `ucred`, which Glibc's module lacks: process, user, group.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    try #require(getsockopt(connection.descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
    process = pid_t(bitPattern: credentials[0])
    kill(process, SIGSTOP)
  }

  isolated deinit {
    goOn()
  }

  func goOn() {
    kill(process, SIGCONT)
  }
}

/// Another client that keeps the X server for itself.
@MainActor
final class Grab {
  private var connection: X11Connection?

  init() throws {
    let connection = try X11Connection.connect(patience: 10_000_000_000)
    xcb_grab_server(connection.handle)
    // The answer tells that it is so.
    _ = try X11Extension("RANDR", connection)
    self.connection = connection
  }

  func end() {
    connection = nil
  }
}

extension OnServer {
  @Suite("several replies")
  @MainActor
  struct Replies {
    /// xcb keeps for ever what nobody takes.
    @Test func noReplyIsLeftBehindWhenOneOfSeveralFails() throws {
      let connection = try X11Connection.connect(patience: 10_000_000_000)
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
      let replies = try X11Replies(connection.handle, patience: 50_000_000)
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
