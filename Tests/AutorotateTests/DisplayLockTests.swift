// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Glibc
import Temporary
import Testing

@testable import autorotate

@MainActor struct DisplayLockTests {
  @Test func oneHoldsItAndTheKernelTakesItBack() throws {
    let directory = try TemporaryDirectory()
    let path = directory["display.lock"]
    defer { withExtendedLifetime(directory) {} }
    let held = try #require(try DisplayLock.acquire(at: path))
    let taken = #expect(throws: Message.self) { try DisplayLock.acquire(at: path) }
    #expect(taken == .alreadyRunning(UInt32(getpid())))
    close(held)
    let again = try #require(try DisplayLock.acquire(at: path))
    close(again)
  }

  /// What is no file of ours is no reason not to start.
  @Test func aLinkOrAPipeInItsPlaceIsNoLock() throws {
    let directory = try TemporaryDirectory()
    #expect(symlink("/dev/null", directory["link"]) == 0)
    #expect(mkfifo(directory["pipe"], 0o600) == 0)
    #expect(try DisplayLock.acquire(at: directory["link"]) == nil)
    #expect(try DisplayLock.acquire(at: directory["nowhere/lock"]) == nil)
    if let pipe = try DisplayLock.acquire(at: directory["pipe"]) { close(pipe) }
  }

  @Test(arguments: [
    (BackendKind.x11, ["DISPLAY": ":0.1", "WAYLAND_DISPLAY": "wayland-0"], ":0"),
    (.x11, ["DISPLAY": "unix:0"], ":0"), (.x11, ["DISPLAY": "far.away:10.0"], "far.away:10"),
    (.sway, ["DISPLAY": ":0", "WAYLAND_DISPLAY": "/run/user/1000/wayland-1"], "wayland-1"),
    (.gnome, ["DISPLAY": ":0", "WAYLAND_DISPLAY": ""], ":0"), (.kde, [:], "display"),
  ])
  func daemonsOfOneDisplayMeet(_ kind: BackendKind, _ environment: [String: String], _ display: String) {
    #expect(DisplayLock.display(kind, { environment[$0] }) == display)
  }
}
