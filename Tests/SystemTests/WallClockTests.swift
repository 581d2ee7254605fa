// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing
import Waiting

@MainActor struct WallClockTests {
  @Test func `the wall clock counts nanoseconds since 1970`() {
    let nanoseconds = { () -> Int64 in
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    let before = nanoseconds()
    let now = WallClock.now
    #expect(before <= now && now <= nanoseconds())
  }

  /// The kernel cancels such a timer when the clock is set (timerfd_create(2)).
  @Test func `the kernel reports that the clock is set`() throws {
    let loop = try EventLoop()
    let watch = try WallClockWatch(loop: loop) {}
    #expect(loop.watched.contains { $0.contains("clockid: 0") && $0.contains("settime flags: 03") })
    withExtendedLifetime(watch) {}
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
