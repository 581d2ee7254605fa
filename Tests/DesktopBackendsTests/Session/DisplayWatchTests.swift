// SPDX-License-Identifier: MIT

import Autorotation
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

/// When the display system is tried again, with a server that does not answer.
@MainActor
final class DisplayWatchTests {
  private let loop: EventLoop
  private let directory: TemporaryDirectory
  private var watch: DisplayWatch?
  private var retries = 0

  init() throws {
    loop = try EventLoop()
    directory = try TemporaryDirectory()
  }

  private func start(_ display: String = "wayland-0") throws {
    let variables = ["XDG_RUNTIME_DIR": directory.path, "WAYLAND_DISPLAY": display]
    watch = try DisplayWatch(
      loop: loop, variable: { variables[$0] }, retry: { [unowned self] in retries += 1 })
  }

  private func server() throws -> FakeServer {
    try FakeServer(loop: loop, path: directory["wayland-0"]) { _ in }
  }

  private var left: Int64? {
    get throws {
      try loop.runPending()
      return loop.nextTimer
    }
  }

  @Test(arguments: [true, false])
  func `a busy server is tried again when it answers or ends`(answers: Bool) throws {
    let server = try server()
    try start()
    watch?.scheduleRetry(isBusy: true)
    try loop.wait(for: "the question") { server.clients.first?.received.count == 12 }
    #expect(try left == nil && retries == 0)
    if answers { server.clients[0].write("answer") } else { server.clients[0].close() }
    try loop.wait(for: "the retry") { retries == 1 }
    #expect(try left == nil && retries == 1)
  }

  @Test func `only the last question is waited for`() throws {
    let server = try server()
    try start()
    for _ in 1...2 { watch?.scheduleRetry(isBusy: true) }
    try loop.wait(for: "both clients") { server.clients.count == 2 && server.clients[0].hasLeft }
    watch = nil
    try loop.wait(for: "no client") { server.clients[1].hasLeft }
    #expect(retries == 0)
  }

  @Test func `a busy server that does not listen is polled`() throws {
    try start()
    watch?.scheduleRetry(isBusy: true)
    try loop.wait(for: "the retry") { retries == 1 }
  }

  @Test func `the intervals double up to a minute`() throws {
    // Its socket is there, so that inotify would report nothing.
    let server = try server()
    try start()
    for interval in [50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000]
      as [Int64]
    {
      watch?.scheduleRetry(isBusy: false)
      // Its expiry may already be due on a busy machine.
      if let left = try left { #expect(left <= interval * 1_100_000) }
    }
    #expect(try left ?? 0 > 30_000_000_000)
    withExtendedLifetime(server) {}
  }

  @Test(arguments: [("wayland-7", true), ("sway-ipc.1.sock", true), ("own", true), ("wayland-7.lock", false)])
  func `a new socket is tried soon`(name: String, isTried: Bool) throws {
    try start("own")
    watch?.scheduleRetry(isBusy: false)
    try loop.wait(for: "the retry") { retries == 1 }
    #expect(try left == nil)
    try directory.write("", to: name)
    #expect(try (left != nil || retries > 1) == isTried)
  }
}
