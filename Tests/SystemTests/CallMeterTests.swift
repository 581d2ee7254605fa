// SPDX-License-Identifier: MIT

import Testing

@testable import System

struct CallMeterTests {
  private static let second: Int64 = 1_000_000_000

  /// The number of accepted calls of several at one time.
  private func accepted(_ meter: inout CallMeter, _ sender: String, of calls: Int, at now: Int64) -> Int {
    (1...calls).count { _ in !meter.refuses(sender, at: now) }
  }

  @Test func aBurstIsAcceptedAndThenALimitedRate() {
    var meter = CallMeter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    #expect(accepted(&meter, "a", of: 100, at: Self.second / 2) == 5)
    #expect(accepted(&meter, "a", of: 100, at: 3 * Self.second) == 20)
  }

  @Test func callersHaveSeparateLimits() {
    var meter = CallMeter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    #expect(accepted(&meter, "b", of: 100, at: 0) == 20)
  }

  @Test func aRefusedCallerIsRememberedAmongMany() {
    var meter = CallMeter(perSecond: 10)
    for number in 0..<1000 { _ = meter.refuses("\(number)", at: 0) }
    #expect(accepted(&meter, "a", of: 100, at: 3 * Self.second) == 20)
    for number in 0..<200 { _ = meter.refuses("other \(number)", at: 3 * Self.second) }
    #expect(accepted(&meter, "a", of: 1, at: 3 * Self.second) == 0)
  }

  /// A program may open any number of connections.
  @Test func `the number of remembered callers is limited`() {
    var meter = CallMeter(perSecond: 10)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    for number in 1..<1024 { _ = meter.refuses("\(number)", at: 0) }
    #expect(accepted(&meter, "a", of: 1, at: 0) == 0)
    _ = meter.refuses("one more", at: 0)
    #expect(accepted(&meter, "a", of: 1, at: 0) == 1)
  }

  @Test func `a caller stays refused while the table is full`() {
    var meter = CallMeter(perSecond: 10)
    for number in 0..<1023 { _ = meter.refuses("\(number)", at: 0) }
    #expect(accepted(&meter, "a", of: 100, at: 0) == 20)
    #expect(accepted(&meter, "a", of: 100, at: 0) == 0)
  }
}
