// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Rotations that wait for an X server.
@Suite("queued rotations on X11", .enabled(if: Xvfb.isInstalled, "install xvfb to run them"))
@MainActor
final class RandRRotationQueueTests {
  private let server: Xvfb
  private let connection: X11Connection
  private let randr: RandR
  private let queue = RandRRotationQueue(Reporter())
  private var results: [String] = []

  init() throws {
    server = try #require(Xvfb())
    connection = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
    randr = try RandR(connection)
  }

  /// - Parameter transform: this server offers no other rotation than `none`.
  private func add(_ name: String, _ transform: DisplayTransform = .none) {
    let rotation = RandRRotation(
      [PanelRotation("screen", to: transform)], randr: randr, touch: nil, fullscreen: nil,
      visited: ArrangementHistory())
    queue.add(rotation) { [unowned self] in results.append($0.isSuccess ? name : "no \(name)") }
  }

  private func fail(onlyUnsent: Bool) {
    queue.fail(onlyUnsent: onlyUnsent) { Message(.displaySilent, "no answer for \($0)") }
  }

  private func finish() throws {
    let loop = try EventLoop()
    try loop.wait(for: "the rotations") {
      if connection.replies.beginPass() { queue.advance() }
      return queue.isEmpty
    }
  }

  @Test func `only the first rotation begins at once`() throws {
    #expect(queue.isEmpty && !queue.hasSentRequests)
    add("first", .rotated90)
    #expect(queue.beginIfFirst(connection.replies))
    add("second", .rotated90)
    #expect(!queue.beginIfFirst(connection.replies))
    #expect(results.isEmpty, "it is reported in the next pass")
    queue.reportResult()
    #expect(results == ["no first"] && !queue.isEmpty)
    try finish()
    #expect(results == ["no first", "no second"])
  }

  @Test func `a sent rotation ends with the server's answer`() throws {
    add("first")
    #expect(!queue.beginIfFirst(connection.replies))
    #expect(queue.hasSentRequests)
    queue.reportResult()
    #expect(results.isEmpty)
    try finish()
    #expect(results == ["first"])
  }

  @Test func `unsent rotations fail once while one is sent`() throws {
    add("sent")
    _ = queue.beginIfFirst(connection.replies)
    add("unsent")
    fail(onlyUnsent: true)
    #expect(results == ["no unsent"] && queue.hasSentRequests)
    try finish()
    #expect(results == ["no unsent", "sent"])
  }

  @Test func `all rotations fail once when the connection ends`() {
    add("sent")
    _ = queue.beginIfFirst(connection.replies)
    add("unsent")
    fail(onlyUnsent: false)
    #expect(results == ["no sent", "no unsent"] && queue.isEmpty && !queue.hasSentRequests)
  }

  @Test func `a failure is announced before its result`() throws {
    queue.willReportFailure = { [unowned self] in results.append("cause") }
    add("first", .rotated90)
    try finish()
    #expect(results == ["cause", "no first"])
    add("second")
    try finish()
    #expect(results == ["cause", "no first", "second"])
    add("third")
    fail(onlyUnsent: true)
    #expect(results.last == "no third" && results.count == 4)
  }
}
