// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

/// When outputs are checked, with the time passed in.
@Suite("the schedule of power checks")
struct PowerScheduleTests {
  private static let second: Int64 = 1_000_000_000

  /// The times of the checks until a time, in seconds.
  private func checks(_ schedule: inout PowerSchedule, until end: Double) -> [Double] {
    var times: [Double] = []
    while let next = schedule.next, Double(next) <= end * Double(Self.second) {
      times.append(Double(next) / Double(Self.second))
      schedule.checked(at: next)
    }
    return times
  }

  private func off(isReported: Bool = false) -> PowerSchedule {
    var schedule = PowerSchedule()
    schedule.isReported = isReported
    schedule.start(.forOn, at: 0)
    return schedule
  }

  @Test(arguments: [6.0, 10, 100, 100_000])
  func `an output switched on by a script is seen`(offTime: Double) throws {
    var schedule = off()
    _ = checks(&schedule, until: offTime)
    let next = try #require(schedule.next)
    #expect(Double(next) / Double(Self.second) - offTime <= 2)
  }

  @Test(arguments: [0.0, 10, 100, 100_000])
  func `an output switched on by the user is seen`(offTime: Double) {
    var schedule = off()
    _ = checks(&schedule, until: offTime)
    schedule.userIsActive(at: Int64(offTime) * Self.second)
    let first = checks(&schedule, until: offTime + 0.5)
    #expect(first.count == 1)
    #expect(checks(&schedule, until: offTime + 5.5).count == 12)
  }

  @Test func `an output that is off is checked every two seconds`() {
    var schedule = off()
    #expect(checks(&schedule, until: 5).count == 12)
    #expect(checks(&schedule, until: 3605.1).count == 1800)
  }

  @Test func `a compositor that reports power is checked after activity only`() {
    var schedule = off(isReported: true)
    #expect(schedule.next == nil)
    schedule.userIsActive(at: 0)
    #expect(checks(&schedule, until: 100_000).count == 13)
    #expect(schedule.next == nil)
  }

  @Test func `checks resume when reports end`() {
    var schedule = off(isReported: true)
    schedule.isReported = false
    #expect(schedule.next == PowerSchedule.shortInterval || schedule.next == PowerSchedule.steadyInterval)
    schedule.isReported = true
    schedule.userIsActive(at: 0)
    _ = checks(&schedule, until: 10)
    #expect(schedule.next == nil)
  }

  @Test func `a session that is active again is checked at once`() {
    var schedule = off()
    schedule.start(.none, at: Self.second)
    #expect(schedule.next == nil)
    schedule.start(.forOn, at: 100 * Self.second, atOnce: true)
    #expect(checks(&schedule, until: 101) == [100, 100.4, 100.8])
  }

  @Test func `an output that is on is checked each idle minute`() {
    var schedule = PowerSchedule()
    schedule.start(.forOff, at: 0)
    #expect(schedule.next == nil)
    schedule.userIsIdle(at: 60 * Self.second)
    #expect(checks(&schedule, until: 200) == [60, 120, 180])
    schedule.userIsActive(at: 200 * Self.second)
    #expect(schedule.next == nil)
  }

  @Test func `nothing is checked while it is not needed`() {
    var schedule = PowerSchedule()
    schedule.userIsActive(at: 0)
    schedule.userIsIdle(at: 0)
    #expect(schedule.next == nil)
  }
}
