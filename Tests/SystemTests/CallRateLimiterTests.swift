// SPDX-License-Identifier: MIT

import Testing

@testable import System

struct CallRateLimiterTests {
  private static let second: Int64 = 1_000_000_000

  /// The number of accepted calls of several at one time.
  private func accepted(_ meter: inout CallRateLimiter, _ sender: String, of calls: Int, at now: Int64) -> Int
  {
    (1...calls).count { _ in !meter.refuses(sender, at: now) }
  }

  @Test func `a burst is accepted and then a limited rate`() {
    var meter = CallRateLimiter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    #expect(accepted(&meter, "a", of: 100, at: Self.second / 2) == 5)
    #expect(accepted(&meter, "a", of: 100, at: 3 * Self.second) == 20)
  }

  @Test func `callers have separate limits`() {
    var meter = CallRateLimiter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    #expect(accepted(&meter, "b", of: 100, at: 0) == 20)
  }

  @Test func `a refused caller is remembered among many`() {
    var meter = CallRateLimiter(perSecond: 10)
    for number in 0..<1000 { _ = meter.refuses("\(number)", at: 0) }
    #expect(accepted(&meter, "a", of: 100, at: 3 * Self.second) == 20)
    for number in 0..<200 { _ = meter.refuses("other \(number)", at: 3 * Self.second) }
    #expect(accepted(&meter, "a", of: 1, at: 3 * Self.second) == 0)
  }

  /// A program may open any number of connections.
  @Test func `the number of remembered callers is limited`() {
    var meter = CallRateLimiter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    for number in 1..<1024 { _ = meter.refuses("\(number)", at: 0) }
    #expect(accepted(&meter, "a", of: 1, at: 0) == 0)
    _ = meter.refuses("one more", at: 0)
    #expect(accepted(&meter, "a", of: 1, at: 0) == 1)
  }

  @Test func `a caller stays refused while the table is full`() {
    var meter = CallRateLimiter(perSecond: 10)
    for number in 0..<1023 { _ = meter.refuses("\(number)", at: 0) }
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 0)
  }

  private static let millisecond: Int64 = 1_000_000

  @Test func `each millisecond of a long call is counted`() {
    var meter = CallRateLimiter(perSecond: 10)
    for (work, left) in [(Self.millisecond / 2, 19), (Self.millisecond, 18), (9 * Self.millisecond, 9)] {
      #expect(accepted(&meter, "a", of: 1, at: 0) == 1)
      meter.charge("a", work: work)
      var copy = meter
      #expect(accepted(&copy, "a", of: 100, at: 0) == left)
    }
    #expect(accepted(&meter, "b", of: 100, at: 0) == 20)
  }

  @Test func `no call excludes its caller for long`() {
    var meter = CallRateLimiter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 1, at: 0) == 1)
    meter.charge("a", work: 3600 * Self.second)
    #expect(accepted(&meter, "a", of: 100, at: 2 * Self.second) == 0)
    #expect(accepted(&meter, "a", of: 100, at: 3 * Self.second) == 10)
  }
}
