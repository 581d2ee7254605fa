// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing
import Waiting

@testable import SensorSources

/// When it calls the proxy on its own.
extension SensorProxySourceTests {
  /// Nanoseconds until it does; `nil` for never.
  private func nextTimer() throws -> Int64? {
    try bus.deliver()
    try bus.loop.runPending()
    return bus.loop.nextTimer
  }

  @Test func `a change is checked after 0.5 and 1.5 seconds`() throws {
    let proxy = try modernProxy()
    proxy.hasAccelerometer = .bool(false)
    try expect("the checks of a new proxy") { proxy.reads == 3 }
    let start = EventLoop.now
    source.recheck()
    try expect("a check at once") { proxy.reads == 4 }
    #expect(try nextTimer().map { $0 <= 501_000_000 } == true)
    try expect("the next check") { proxy.reads == 5 }
    #expect(EventLoop.now >= start + 500_000_000)
    #expect(try nextTimer().map { $0 <= 1_001_000_000 } == true)
    try expect("the last check") { proxy.reads == 6 }
    #expect(EventLoop.now >= start + 1_500_000_000)
    #expect(try nextTimer() == nil)
  }

  @Test func `an orientation is read after the stale time`() throws {
    let proxy = try FakeProxy(on: bus)
    proxy.orientation = .string("left-up")
    source.demand(.resting)
    try expect("the claim") { proxy.claims == 1 }
    let start = EventLoop.now
    try expect("the orientation") { log.orientations == [.leftUp] }
    #expect(EventLoop.now >= start + 1_000_000_000)
    #expect(proxy.claims >= 2, "the claim after 0.5 s does not delay it")
  }

  /// Without a directory to watch, the bus is polled.
  @Test func `failures are retried less and less often`() throws {
    source.stop()
    let lonely = SensorProxySource(loop: bus.loop, bus: .at(address: "unix:abstract=nonexistent"))
    try lonely.start { _, _ in }
    for seconds: Int64 in [5, 10, 20, 40, 80, 160, 300, 300] {
      let start = EventLoop.now
      lonely.demand(.off)
      lonely.demand(.resting)
      try bus.loop.settle(within: 2_000_000_000)
      let timer = try #require(bus.loop.nextTimer)
      let latest = timer + EventLoop.now - start
      // sd-event may be a millisecond late.
      #expect((timer - 1_000_000...latest).contains(seconds * 1_000_000_000))
    }
    lonely.stop()
  }

  @Test func `after a success the next failure is retried soon`() throws {
    let proxy = try modernProxy()
    proxy.answer = .refused
    source.demand(.resting)
    try expect("the refusal") { source.failure?.code == .sensorRefused }
    proxy.answer = .done
    source.recheck()
    try expect("the sensor") { source.presence == .found }
    let claims = proxy.claims
    proxy.answer = .refused
    source.recheck()
    // The second claim follows the first refusal.
    try expect("the second claim") { proxy.claims >= claims + 2 }
    let latest = EventLoop.now + 5_000_000_000
    try expect("three refusals") { proxy.claims == claims + 3 }
    // sd-event may be a millisecond late.
    #expect(try nextTimer().map { EventLoop.now + $0 <= latest + 1_000_000 } == true, "5 s after the first")
    proxy.answer = .done
    source.recheck()
    try expect("three claims") { proxy.claims == claims + 6 }
    #expect(try nextTimer() == nil)
  }
}
