// SPDX-License-Identifier: MIT

import Autorotation
import Testing
import Waiting

@testable import DesktopBackends

/// Rotations that wait for an X server.
@Suite("queued rotations on X11", .enabled(if: Xvfb.isInstalled, "install xvfb to run them"))
@MainActor
final class QueuedRotationsTests {
  private let server: Xvfb
  private let running: RunningBackend
  private var backend: X11Backend { running.backend }
  private var results: [String] = []

  init() throws {
    server = try #require(Xvfb())
    running = try RunningBackend(display: server.display)
  }

  /// - Parameter transform: this server offers no other rotation than `none`.
  private func add(_ name: String, _ transform: DisplayTransform = .none) {
    backend.apply(transform, to: "screen") { [unowned self] in
      results.append($0.isSuccess ? name : "no \(name)")
    }
  }

  private func finish() throws {
    try running.wait("the rotations") { !backend.queue.isBusy }
  }

  @Test func `only the first rotation begins at once`() throws {
    #expect(backend.underWay == nil && !backend.queue.isBusy)
    add("first", .rotated90)
    #expect(backend.underWay == nil && backend.queue.isBusy)
    add("second", .rotated90)
    #expect(results.isEmpty, "it is reported in the next pass")
    try finish()
    #expect(results == ["no first", "no second"])
  }

  @Test func `a sent rotation ends with the server's answer`() throws {
    add("first")
    #expect(backend.underWay?.rotation.hasSentRequests == true)
    #expect(results.isEmpty)
    try finish()
    #expect(results == ["first"])
  }

  @Test func `a sent rotation is kept while the server is silent`() throws {
    add("sent")
    add("waiting")
    backend.failRotation(evenIfSent: false)
    #expect(results.isEmpty && backend.underWay?.rotation.hasSentRequests == true)
    try finish()
    #expect(results == ["sent", "waiting"])
  }

  @Test func `all rotations fail once when the connection ends`() throws {
    add("sent")
    add("unsent")
    backend.end()
    #expect(results == ["no sent"] && backend.underWay == nil)
    try finish()
    #expect(results == ["no sent", "no unsent"])
  }

  @Test func `a rotation succeeds after one that failed`() throws {
    add("first", .rotated90)
    try finish()
    #expect(results == ["no first"])
    add("second")
    try finish()
    #expect(results == ["no first", "second"])
  }
}
