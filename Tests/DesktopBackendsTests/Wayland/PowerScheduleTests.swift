// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

/// When outputs are looked at, with the time passed in.
@Suite("when to look whether an output is off or on")
struct PowerScheduleTests {
  private static let second: Int64 = 1_000_000_000

  /// The looks until a moment, in seconds.
  private func looks(_ schedule: inout PowerSchedule, until end: Double) -> [Double] {
    var moments: [Double] = []
    while let next = schedule.next, Double(next) <= end * Double(Self.second) {
      moments.append(Double(next) / Double(Self.second))
      schedule.looked(at: next)
    }
    return moments
  }

  private func off(isReported: Bool = false) -> PowerSchedule {
    var schedule = PowerSchedule()
    schedule.isReported = isReported
    schedule.start(.forOn, at: 0)
    return schedule
  }

  @Test(arguments: [6.0, 10, 100, 100_000])
  func `an output that a script lights is seen within two seconds`(darkness: Double) throws {
    var schedule = off()
    _ = looks(&schedule, until: darkness)
    let next = try #require(schedule.next)
    #expect(Double(next) / Double(Self.second) - darkness <= 2)
  }

  @Test(arguments: [0.0, 10, 100, 100_000])
  func `an output that a touch lights is seen within half a second`(darkness: Double) {
    var schedule = off()
    _ = looks(&schedule, until: darkness)
    schedule.touched(at: Int64(darkness) * Self.second)
    let first = looks(&schedule, until: darkness + 0.5)
    #expect(first.count == 1)
    #expect(looks(&schedule, until: darkness + 5.5).count == 12)
  }

  @Test func `darkness wakes the machine once in two seconds`() {
    var schedule = off()
    #expect(looks(&schedule, until: 5).count == 12)
    #expect(looks(&schedule, until: 3605.1).count == 1800)
  }

  @Test func `a compositor that reports power is looked at after touches only`() {
    var schedule = off(isReported: true)
    #expect(schedule.next == nil)
    schedule.touched(at: 0)
    #expect(looks(&schedule, until: 100_000).count == 13)
    #expect(schedule.next == nil)
  }

  @Test func `a report that ends brings the looks back`() {
    var schedule = off(isReported: true)
    schedule.isReported = false
    #expect(schedule.next == PowerSchedule.shortInterval || schedule.next == PowerSchedule.steadyInterval)
    schedule.isReported = true
    schedule.touched(at: 0)
    _ = looks(&schedule, until: 10)
    #expect(schedule.next == nil)
  }

  @Test func `a session that is seen again is looked at at once`() {
    var schedule = off()
    schedule.start(.none, at: Self.second)
    #expect(schedule.next == nil)
    schedule.start(.forOn, at: 100 * Self.second, atOnce: true)
    #expect(looks(&schedule, until: 101) == [100, 100.4, 100.8])
  }

  @Test func `an output that is on is looked at each minute without touches`() {
    var schedule = PowerSchedule()
    schedule.start(.forOff, at: 0)
    #expect(schedule.next == nil)
    schedule.leftAlone(at: 60 * Self.second)
    #expect(looks(&schedule, until: 200) == [60, 120, 180])
    schedule.touched(at: 200 * Self.second)
    #expect(schedule.next == nil)
  }

  @Test func `nothing is looked at while nobody cares`() {
    var schedule = PowerSchedule()
    schedule.touched(at: 0)
    schedule.leftAlone(at: 0)
    #expect(schedule.next == nil)
  }
}
