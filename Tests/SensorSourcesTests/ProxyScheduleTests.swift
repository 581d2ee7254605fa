// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct ProxyScheduleTests {
  private static let start = Instant(seconds: 100)
  private static func later(_ milliseconds: Int64) -> Instant { start + .milliseconds(milliseconds) }

  @Test func `a change is checked twice`() {
    var schedule = ProxySchedule()
    schedule.expectChange(at: Self.start)
    #expect(schedule.next == Self.later(500))
    #expect(schedule.takeDue(at: Self.later(499)) == [])
    #expect(schedule.takeDue(at: Self.later(500)) == [.check])
    #expect(schedule.next == Self.later(1500))
    #expect(schedule.takeDue(at: Self.later(1500)) == [.check])
    #expect(schedule.next == nil)
  }

  @Test func `an orientation is read after the stale time`() {
    var schedule = ProxySchedule()
    schedule.expectOrientation(at: Self.start)
    schedule.expectOrientation(at: Self.later(300))
    #expect(schedule.next == Self.later(1000), "the earlier one stays")
    #expect(schedule.takeDue(at: Self.later(999)) == [])
    #expect(schedule.takeDue(at: Self.later(1000)) == [.read])
    #expect(schedule.next == nil)
  }

  @Test func `what is due together is taken together`() {
    var schedule = ProxySchedule()
    schedule.expectChange(at: Self.start)
    schedule.expectOrientation(at: Self.start)
    schedule.retry = Self.start
    #expect(schedule.next == Self.start)
    #expect(schedule.takeDue(at: Self.later(1500)) == [.check, .read, .retry])
    #expect(schedule == ProxySchedule())
  }

  @Test func `failures are retried less and less often`() {
    var schedule = ProxySchedule()
    var delays: [Double] = []
    for _ in 1...8 {
      schedule.fail(at: Self.start)
      schedule.fail(at: Self.later(1))
      delays.append(schedule.retry?.seconds(since: Self.start) ?? 0)
      #expect(schedule.takeDue(at: schedule.retry ?? Self.start) == [.retry])
    }
    #expect(delays == [5, 10, 20, 40, 80, 160, 300, 300])
    schedule.fail(at: Self.start)
    schedule.succeed()
    #expect(schedule == ProxySchedule())
  }
}
