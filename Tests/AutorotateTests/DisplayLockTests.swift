// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Glibc
import Temporary
import Testing

@testable import autorotate

@MainActor struct DisplayLockTests {
  @Test func `one process holds the lock until it ends`() throws {
    let directory = try TemporaryDirectory()
    let path = directory["display.lock"]
    defer { withExtendedLifetime(directory) {} }
    let held = try #require(try DisplayLock.acquire(at: path))
    let taken = #expect(throws: Message.self) { try DisplayLock.acquire(at: path) }
    #expect(taken == .alreadyRunning(UInt32(getpid()), stop: "kill \(getpid())"))
    close(held)
    let again = try #require(try DisplayLock.acquire(at: path))
    close(again)
  }

  @Test func `the holder of a lock is found without trying the lock`() throws {
    let directory = try TemporaryDirectory()
    let path = directory["display.lock"]
    defer { withExtendedLifetime(directory) {} }
    #expect(DisplayLock.holder(at: path) == nil)
    let held = try #require(try DisplayLock.acquire(at: path))
    #expect(DisplayLock.holder(at: path) == UInt32(getpid()))
    close(held)
    #expect(DisplayLock.holder(at: path) == nil)
  }

  /// A foreign file must not prevent the start.
  @Test func `a link or pipe is not used as lock`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("precious", to: "other")
    #expect(symlink(directory["other"], directory["link"]) == 0)
    #expect(mkfifo(directory["pipe"], 0o600) == 0)
    #expect(try DisplayLock.acquire(at: directory["link"]) == nil)
    #expect(try directory.text("other") == "precious")
    #expect(try DisplayLock.acquire(at: directory["nowhere/lock"]) == nil)
    if let pipe = try DisplayLock.acquire(at: directory["pipe"]) { close(pipe) }
  }

  /// Anyone who may write there could prevent the daemon from starting.
  @Test func `a directory that others may write to is not ours`() throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("place")
    try directory.write("", to: "file")
    #expect(symlink(directory["place"], directory["link"]) == 0)
    for (mode, isOurs) in [(0o700, true), (0o755, true), (0o777, false), (0o770, false)] as [(mode_t, Bool)] {
      #expect(chmod(directory["place"], mode) == 0)
      #expect(DisplayLock.isOurs(directory["place"]) == isOurs, "\(String(mode, radix: 8))")
    }
    #expect(chmod(directory["place"], 0o700) == 0)
    for other in ["file", "link", "nowhere"] { #expect(!DisplayLock.isOurs(directory[other]), "\(other)") }
    guard getuid() == 0 else { return }
    #expect(chown(directory["place"], 12345, 12345) == 0)
    #expect(!DisplayLock.isOurs(directory["place"]))
  }

  @Test(arguments: [
    (BackendKind.x11, ["DISPLAY": ":0.1", "WAYLAND_DISPLAY": "wayland-0"], ":0"),
    (.x11, ["DISPLAY": "unix:0"], ":0"), (.x11, ["DISPLAY": "far.away:10.0"], "far.away:10"),
    (.sway, ["DISPLAY": ":0", "WAYLAND_DISPLAY": "/run/user/1000/wayland-1"], "wayland-1"),
    (.gnome, ["DISPLAY": ":0", "WAYLAND_DISPLAY": ""], ":0"), (.kde, [:], "display"),
  ])
  func `daemons of one display use one lock`(
    _ kind: BackendKind, _ environment: [String: String], _ display: String
  ) {
    #expect(DisplayLock.display(kind, { environment[$0] }) == display)
  }
}
