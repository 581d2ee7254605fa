// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct ReadScheduleTests {
  private static let upright = MotionSample(Acceleration(x: 0, y: -9.8, z: 0))

  /// The schedule of a device that has been at rest, upright, from 0 s to 12 s.
  private static func atRest() -> ReadSchedule {
    var schedule = ReadSchedule()
    for second in 0...12 { _ = report(upright, to: &schedule, at: Double(second)) }
    return schedule
  }

  private static func report(
    _ sample: MotionSample, to schedule: inout ReadSchedule, at second: Double,
    demand: SensorDemand = .resting
  ) -> (before: (sample: MotionSample, moment: Instant)?, isReported: Bool) {
    let moment = Instant(seconds: second)
    return schedule.report(sample, at: moment, now: moment.nanoseconds, demand: demand)
  }

  @Test func `a sample is skipped after ten seconds at rest`() {
    var schedule = Self.atRest()
    #expect(schedule.skipped?.moment == Instant(seconds: 12))
    #expect(!Self.report(Self.upright, to: &schedule, at: 12.6).isReported)
    #expect(schedule.isNear(Self.upright.acceleration))
  }

  /// The classifier starts over after a gap of a second.
  @Test(arguments: [(12.6, 12.0), (15, 14.1)])
  func `a movement is preceded by the last skipped sample`(second: Double, skipped: Double) {
    var schedule = Self.atRest()
    let moved = MotionSample(Acceleration(x: 3, y: -9.3, z: 0))
    let (before, isReported) = Self.report(moved, to: &schedule, at: second)
    #expect(isReported)
    #expect(before?.sample == Self.upright && before?.moment == Instant(seconds: skipped))
  }

  @Test func `after a pause the schedule starts over`() {
    var schedule = Self.atRest()
    schedule.resume(at: Instant(seconds: 12.1).nanoseconds)
    let (before, isReported) = Self.report(Self.upright, to: &schedule, at: 12.6)
    #expect(isReported && before == nil)
  }

  @Test func `only the beginning of a movement is read quickly`() {
    var schedule = Self.atRest()
    schedule.latestRead = Instant(seconds: 12).nanoseconds
    #expect(schedule.interval(.resting) == ReadingPace().interval(.resting, .still))
    _ = Self.report(MotionSample(Acceleration(x: 3, y: -9.3, z: 0)), to: &schedule, at: 12.6)
    schedule.latestRead = Instant(seconds: 12.6).nanoseconds
    #expect(schedule.interval(.resting) == ReadingPace().interval(.resting, .none, .movement))
    schedule.latestRead += 399_000_000
    #expect(schedule.interval(.resting) == ReadingPace().interval(.resting, .none, .movement))
    schedule.latestRead += 1_000_000
    #expect(schedule.interval(.resting) == ReadingPace().interval(.resting))
  }

  @Test func `reads are quick for 0.4 seconds after a pause`() {
    var schedule = ReadSchedule()
    schedule.resume(at: Instant(seconds: 5).nanoseconds)
    let intervals = [5.0, 5.399, 5.4].map { second in
      schedule.latestRead = Instant(seconds: second).nanoseconds
      return schedule.interval(.following)
    }
    #expect(intervals == [12_000_000, 12_000_000, 60_000_000])
  }

  @Test func `a device is not at rest before its first sample`() {
    var schedule = ReadSchedule()
    schedule.latestRead = Instant(seconds: 60).nanoseconds
    #expect(!schedule.isStill)
    _ = Self.report(Self.upright, to: &schedule, at: 60)
    schedule.latestRead = Instant(seconds: 70).nanoseconds
    #expect(schedule.isStill)
  }

  @Test func `without a demand no sample is reported`() {
    var schedule = ReadSchedule()
    #expect(!Self.report(Self.upright, to: &schedule, at: 1, demand: .off).isReported)
    #expect(Self.report(Self.upright, to: &schedule, at: 2).isReported)
  }

  @Test func `without a demand the next read is years away`() {
    var schedule = ReadSchedule()
    schedule.latestRead = Instant(seconds: 3600).nanoseconds
    let (due, overflow) = schedule.latestRead.addingReportingOverflow(schedule.interval(.off))
    #expect(!overflow && due > Instant(seconds: 1e9).nanoseconds)
  }
}
