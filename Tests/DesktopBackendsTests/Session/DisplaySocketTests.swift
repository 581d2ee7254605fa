// SPDX-License-Identifier: MIT

import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

@MainActor struct DisplaySocketTests {
  @Test func `the probe of Wayland is a sync request`() {
    let probe = DisplaySocket.waylandProbe
    let words = probe.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    #expect(words == [1, 12 << 16, 2])
  }

  @Test func `the probe of X11 has this machine's byte order`() {
    let probe = DisplaySocket.x11Probe
    #expect(probe.count == 12)
    let version = probe[2...5].withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(version == [11, 0])
  }

  @Test(
    arguments: [
      (":0", "/tmp/.X11-unix/X0"), ("unix:12.1", "/tmp/.X11-unix/X12"), (":0:1", nil), ("", nil), (":", nil),
      ("host:0", nil), (":x", nil), ("0", nil),
    ] as [(String, String?)])
  func `only a display of this machine has a socket`(display: String, path: String?) {
    #expect(DisplaySocket.x11Path(display) == path)
  }

  @Test func `the environment names Wayland's socket first`() {
    let variables = ["XDG_RUNTIME_DIR": "/run/user/7", "WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"]
    let all = DisplaySocket.named { variables[$0] }
    #expect(all.map(\.path) == ["/run/user/7/wayland-1", "/tmp/.X11-unix/X0"])
    #expect(all.map(\.probe) == [DisplaySocket.waylandProbe, DisplaySocket.x11Probe])
    let withoutWayland = DisplaySocket.named { $0 == "DISPLAY" ? ":0" : nil }
    #expect(withoutWayland.map(\.probe) == [DisplaySocket.x11Probe])
  }

  @Test func `the only compositor is found without a name`() throws {
    let loop = try EventLoop()
    let directory = try TemporaryDirectory()
    let find = { DisplaySocket.onlyCompositor(in: directory.path) }
    #expect(find() == nil)
    try directory.write("", to: "wayland-0")
    let lock = try FakeServer(loop: loop, path: directory["wayland-1.lock"]) { _ in }
    #expect(find() == nil)
    let first = try FakeServer(loop: loop, path: directory["wayland-1"]) { _ in }
    #expect(find() == first.path)
    let second = try FakeServer(loop: loop, path: directory["wayland-2"]) { _ in }
    #expect(find() == nil)
    withExtendedLifetime((lock, second)) {}
  }

  @Test(arguments: [(":0", 1.6), ("elsewhere:0", 60.0)])
  func `without a socket nothing is polled for long`(display: String, seconds: Double) throws {
    let loop = try EventLoop()
    let directory = try TemporaryDirectory()
    // A display that no server has.
    let variables = ["XDG_RUNTIME_DIR": directory.path, "DISPLAY": display == ":0" ? ":59999" : display]
    var watch: DisplayWatch? = try DisplayWatch(loop: loop, variable: { variables[$0] }, retry: {})
    for _ in 1...20 { watch?.scheduleRetry(isBusy: false) }
    try loop.runPending()
    let left = Double(try #require(loop.nextTimer)) / 1e9
    #expect(left < seconds + 0.1 && left > seconds / 3)
    try directory.write("", to: "other")
    try loop.runPending()
    #expect(loop.nextTimer.map { $0 > 100_000_000 } == true)
    try directory.write("", to: "wayland-7")
    try loop.runPending()
    #expect(loop.nextTimer.map { $0 <= 60_000_000 } ?? true, "a new socket is tried soon")
    watch = nil
    try loop.runPending()
    #expect(loop.nextTimer == nil)
  }
}
