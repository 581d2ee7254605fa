// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct ReadScheduleTests {
  private static let upright = MotionSample(Acceleration(x: 0, y: -9.8, z: 0))

  /// The schedule of a device that has been at rest, upright, from 0 s to 12 s.
  private static func atRest(rate: Double? = nil) -> ReadSchedule {
    var schedule = ReadSchedule(rate: rate)
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

  /// Moves the device at 12.6 s.
  private static func move(_ schedule: inout ReadSchedule) {
    _ = report(MotionSample(Acceleration(x: 3, y: -9.3, z: 0)), to: &schedule, at: 12.6)
    schedule.latestRead = Instant(seconds: 12.6).nanoseconds
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
    #expect(schedule.interval(.resting) == 500_000_000)
    Self.move(&schedule)
    #expect(schedule.interval(.resting) == 15_000_000)
    schedule.latestRead += 399_000_000
    #expect(schedule.interval(.resting) == 15_000_000)
    schedule.latestRead += 1_000_000
    #expect(schedule.interval(.resting) == 300_000_000)
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

  @Test(arguments: [(nil, 15_000_000), (10, 100_000_000)] as [(Double?, Int64)])
  func `the beginning of a movement is read every 15 ms`(_ rate: Double?, _ interval: Int64) {
    var schedule = Self.atRest(rate: rate)
    Self.move(&schedule)
    #expect(schedule.interval(.resting) == interval, "or as the user set it")
    #expect(schedule.interval(.following) == interval)
  }

  @Test(arguments: [(nil, 12_000_000), (10, 100_000_000)] as [(Double?, Int64)])
  func `the first samples after a pause come every 12 ms`(_ rate: Double?, _ interval: Int64) {
    var schedule = ReadSchedule(rate: rate)
    schedule.resume(at: 0)
    #expect(schedule.interval(.following) == interval, "or as the user set it")
    #expect(schedule.interval(.resting) == interval)
  }

  /// The rates at which docs/benchmarks.md measured delay and cost.
  @Test func `samples come at the rates of the benchmarks`() {
    #expect(ReadSchedule().interval(.resting) == 300_000_000)
    #expect(ReadSchedule().interval(.following) == 60_000_000)
  }

  @Test func `a movement is followed at 17 samples a second`() {
    #expect(ReadSchedule().rate.rounded() == 17)
    #expect(ReadSchedule(rate: 25).rate == 25, "as the user set it")
  }

  @Test func `a device at rest is read twice a second`() {
    var schedule = Self.atRest()
    schedule.latestRead = Instant(seconds: 12).nanoseconds
    #expect(schedule.interval(.resting) == 500_000_000)
    schedule.latestRead = Instant(seconds: 30).nanoseconds
    #expect(schedule.interval(.resting) == 600_000_000, "more rarely after a long rest")
  }

  @Test(arguments: [(nil, 60_000_000), (1, 1_000_000_000), (0.5, 60_000_000)] as [(Double?, Int64)])
  func `a rate below one a second is not used`(_ rate: Double?, _ interval: Int64) {
    #expect(ReadSchedule(rate: rate).following == interval)
    #expect(ReadSchedule(rate: rate).interval(.following) == interval)
  }

  @Test func `reads are quick for half a second at most`() {
    #expect(ReadSchedule.boostTime <= 500_000_000, "not for longer than a rotation may wait")
    #expect(ReadSchedule.boostTime >= 300_000_000, "for most of what a hand takes to turn the device")
  }
}
