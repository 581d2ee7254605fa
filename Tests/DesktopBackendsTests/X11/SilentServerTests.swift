// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  /// A server that is stopped, or grabbed by another client, does not answer until it continues.
  @Suite("a server that does not answer")
  @MainActor
  struct Silence {
    init() throws {
      try Bench.reset()
    }

    /// The usual timeout for replies, but silence is never reported.
    private static var withoutReports: X11Timeouts {
      var timeouts = X11Timeouts.unlimited
      timeouts.replies = X11Timeouts().replies
      return timeouts
    }

    @Test func `a stopped server does not block the loop`() throws {
      let running = try RunningBackend(timeouts: Self.withoutReports)
      let server = try StoppedServer()
      var result: Result<Void, Message>?
      running.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
      try running.loop.runPending()
      #expect(result == nil)
      server.resume()
      try running.wait("the rotation") { result != nil }
      try #require(result).get()
      try expectRotated(.rotated90)
      #expect(running.notes.sentences.isEmpty)
    }

    @Test func `another client's grab is reported once`() throws {
      let running = try RunningBackend(timeouts: X11Timeouts())
      try running.rotate("eDP-1", .rotated180).get()
      let grab = try Grab()
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      try running.wait("the silence") { running.events.last == .displayPowerChanged(isOn: false) }
      #expect(running.notes.sentences.filter { $0.contains("does not answer") }.count == 1)
      let refused = try running.rotate("eDP-1", .rotated90)
      #expect("\(refused)".contains("does not answer"))
      grab.end()
      try running.wait("the answers") { running.events.last == .displayPowerChanged(isOn: true) }
      try running.rotate("eDP-1", .rotated90).get()
      try expectRotated(.rotated90)
      #expect(running.notes.sentences.filter { $0.contains("does not answer") }.count == 1)
    }

    /// Sent requests cannot be cancelled: when the server continues, it shows their result.
    @Test func `a sent rotation ends late with its real result`() throws {
      let running = try RunningBackend(timeouts: X11Timeouts())
      var result: Result<Void, Message>?
      running.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
      let server = try StoppedServer()
      try running.wait("the silence") {
        result != nil || running.events.last == .displayPowerChanged(isOn: false)
      }
      server.resume()
      try running.wait("the rotation") { result != nil }
      try #require(result).get()
      try expectRotated(.rotated90)
    }

    @Test func `a waiting rotation fails after the sent one`() throws {
      let running = try RunningBackend(timeouts: X11Timeouts())
      var results: [Bool] = []
      for transform in [DisplayTransform.rotated90, .rotated180] {
        running.backend.apply(transform, to: "eDP-1") { results.append($0.isSuccess) }
      }
      let server = try StoppedServer()
      try running.wait("the silence") { running.events.last == .displayPowerChanged(isOn: false) }
      server.resume()
      try running.wait("both rotations") { results.count == 2 }
      #expect(results == [true, false])
      try expectRotated(.rotated90)
    }

    @Test func `stopping does not wait for a stopped server`() throws {
      let running = try RunningBackend(timeouts: Self.withoutReports)
      _ = running.backend.disable(DisabledInput(names: ["Bench Mouse"]))
      running.backend.apply(.rotated90, to: "eDP-1") { _ in }
      let server = try StoppedServer()
      running.backend.stop()
      server.resume()
      let shown = try Bench.state().place(of: "eDP-1")?.randrRotation
      try expectRotated(shown == 2 ? .rotated90 : .none)
    }

    @Test func `the backend waits for a server stopped at start`() throws {
      let server = try StoppedServer()
      let loop = try EventLoop()
      let backend = try X11Backend(loop: loop, timeouts: Self.withoutReports)
      var events: [Event] = []
      try backend.start(report: { events.append($0) }, gone: { Issue.record("gone: \($0)") })
      try loop.runPending()
      #expect(events.isEmpty)
      server.resume()
      try loop.wait(for: "the first report") { !events.isEmpty }
      backend.stop()
    }

    @Test func `an inspection of a stopped server fails with a message`() throws {
      let server = try StoppedServer()
      #expect(throws: Message.self) { try X11Backend.inspect() }
      #expect(SessionDescription.current().x11 == .server)
      server.resume()
    }

    /// A device without a reply is not treated as removed.
    @Test func `a late reply is not taken for a removed device`() throws {
      let running = try RunningBackend(timeouts: Self.withoutReports)
      let server = try StoppedServer()
      running.backend.use(DisplaySettings(ignoredDevices: ["nothing"]))
      try running.wait("the timeout") {
        running.backend.session?.connection.replies.areLate == true
      }
      server.resume()
      try running.rotate("eDP-1", .rotated90).get()
      try expectRotated(.rotated90)
    }

    private func expectRotated(_ transform: DisplayTransform) throws {
      let state = try Bench.state()
      let place = try #require(state.place(of: "eDP-1"))
      #expect(place.randrRotation == transform.randrRotation)
      #expect(try Bench.matrix(of: Bench.touchscreen).isClose(to: TouchMatrix.mapping(to: place)))
    }
  }
}

/// The bench's X server, stopped until `resume`. Code that waits for it on this thread would hang; then a watchdog resumes
/// the server, and the test fails.
@MainActor
final class StoppedServer {
  private let process: pid_t
  private let watchdog: Watchdog

  init() throws {
    let connection = try X11Connection.connect(timeout: EventLoop.limit)
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
    resume()
  }

  func resume() {
    #expect(!watchdog.hasActed, "the loop was blocked until the server was resumed")
    watchdog.letGo()
    kill(process, SIGCONT)
  }
}

/// Another client that grabs the X server; see `StoppedServer`.
@MainActor
final class Grab {
  private var connection: X11Connection?
  private let watchdog: Watchdog

  init() throws {
    let connection = try X11Connection.connect(timeout: EventLoop.limit)
    let descriptor = connection.descriptor
    watchdog = Watchdog { shutdown(descriptor, Int32(SHUT_RDWR)) }
    xcb_grab_server(connection.handle)
    // The reply shows that the grab is in effect.
    _ = try X11Extension("RANDR", connection)
    self.connection = connection
  }

  func end() {
    #expect(!watchdog.hasActed, "the loop was blocked until the server was released")
    watchdog.letGo()
    connection = nil
  }
}

extension OnServer {
  @Suite("several replies")
  @MainActor
  struct Replies {
    /// xcb keeps replies until they are received.
    @Test func `all replies are received when one fails`() throws {
      let connection = try X11Connection.connect(timeout: EventLoop.limit)
      let before = xcb_get_input_focus(connection.handle).sequence
      let crtc = connection.requestCRTC(0xdead)
      let connector = connection.requestConnector(0xdead)
      let last = xcb_get_input_focus(connection.handle).sequence
      #expect(throws: Message.self) { try crtc.receive() }
      #expect(throws: Message.self) { try connector.receive() }
      _ = try connection.replies.receive(last)
      #expect(last - before == 6)
      // A reply that was not received would come now.
      for sequence in before + 1..<last { #expect(try connection.replies.receive(sequence) == nil) }
    }

    @Test func `a late reply is discarded`() throws {
      try Bench.reset()
      let connection = try X11Connection.connect(timeout: 10_000_000_000)
      let replies = X11Replies(connection.handle, displayName: ":0", timeout: 50_000_000)
      let server = try StoppedServer()
      let late = xcb_get_input_focus(connection.handle).sequence
      #expect(throws: Message.self) { try replies.receive(late) }
      server.resume()
      while !replies.beginPass() {
        _ = DescriptorWait.isReadable(connection.descriptor, until: EventLoop.now + 60_000_000_000)
      }
      #expect(try replies.receive(late) == nil)
    }
  }
}
