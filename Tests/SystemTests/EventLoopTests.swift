// SPDX-License-Identifier: MIT

import Testing

@testable import System

@MainActor
struct EventLoopTests {
  @Test func `a timer that is due within the wait ends it`() throws {
    let loop = try EventLoop()
    var hasFired = false
    let timer = try loop.timer { hasFired = true }
    timer.arm(at: EventLoop.now + 300_000_000)
    #expect(try loop.runOnce(timeoutNanoseconds: 500_000_000))
    #expect(hasFired)
  }

  @Test func `a moment in an hour is an hour ahead`() {
    let before = EventLoop.now
    let moment = EventLoop.moment(in: .seconds(3600))
    #expect((before...EventLoop.now).contains(moment - 3_600_000_000_000))
    #expect(EventLoop.moment(in: .forever) == .max)
  }

  @Test func `a timer without a time does not fire`() throws {
    let loop = try EventLoop()
    let timer = try loop.timer { Issue.record("it fired") }
    timer.arm(at: 0)
    timer.arm(at: nil)
    #expect(try !loop.runOnce(timeoutNanoseconds: 0))
  }
}
