// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing

@MainActor struct WallClockTests {
  @Test func `the wall clock counts nanoseconds since 1970`() {
    let before = Int64(time(nil))
    #expect((before...before + 60).contains(WallClock.now / 1_000_000_000))
  }

  @Test func `an unchanged wall clock causes no wake up`() throws {
    let loop = try EventLoop()
    var isSet = false
    let watch = try WallClockWatch(loop: loop) { isSet = true }
    #expect(try !loop.runOnce(timeoutNanoseconds: 0))
    #expect(!isSet)
    withExtendedLifetime(watch) {}
  }
}
