// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct ReadingPaceTests {
  @Test func `the beginning of a movement is read every 15 ms`() {
    #expect(ReadingPace().interval(.resting, .still, .movement) == 15_000_000)
    #expect(ReadingPace(rate: 10).interval(.resting, .still, .movement) == 100_000_000, "as the user set it")
  }

  @Test func `the first samples after a pause come every 12 ms`() {
    #expect(ReadingPace().interval(.following, .none, .beginning) == 12_000_000)
    let asSet = ReadingPace(rate: 10).interval(.following, .none, .beginning)
    #expect(asSet == 100_000_000, "as the user set it")
  }

  @Test func `a movement is followed at 17 samples a second`() {
    #expect(ReadingPace().rate.rounded() == 17)
    #expect(ReadingPace(rate: 25).rate == 25, "as the user set it")
  }

  @Test func `a device at rest is read twice a second`() {
    #expect(ReadingPace().interval(.resting, .still) == 500_000_000)
    #expect(ReadingPace().interval(.resting, .longRest) == 600_000_000, "more rarely after a long rest")
  }

  @Test(arguments: [(nil, 60_000_000), (1, 1_000_000_000), (0.5, 60_000_000)] as [(Double?, Int64)])
  func `a rate below one a second is not used`(_ rate: Double?, _ interval: Int64) {
    #expect(ReadingPace(rate: rate).interval(.following) == interval)
  }

  @Test func `a device is at rest after 10 seconds`() {
    var stillness = Stillness()
    _ = stillness.isNeeded(Acceleration(x: 0, y: -9.8, z: 0), at: 50_000_000_000)
    let rests = [59, 60, 79, 80].map { stillness.rest(at: $0 * 1_000_000_000) }
    #expect(rests == [.none, .still, .still, .longRest])
  }

  @Test func `a device at rest at any angle does not move`() {
    var stillness = Stillness()
    let leaning = Acceleration(x: 5, y: -6, z: 6)
    _ = stillness.isNeeded(leaning, at: 0)
    #expect(stillness.isNear(leaning))
    let isNeeded = stillness.isNeeded(leaning, at: Stillness.restDelay)
    #expect(!isNeeded)
  }

  @Test(arguments: [0, 1, 2])
  func `a movement is more than 0.5 on one axis`(_ axis: Int) {
    var stillness = Stillness()
    let origin = Acceleration(x: 4, y: -5, z: 6)
    _ = stillness.isNeeded(origin, at: 0)
    let isNear = [-0.51, -0.5, 0.5, 0.51].map { distance in
      var a = origin
      a[axis] += distance
      return stillness.isNear(a)
    }
    #expect(isNear == [false, true, true, false])
  }

  /// Milliseconds.
  @Test(arguments: [(0, false), (900, false), (1100, true)] as [(Int64, Bool)])
  func `a movement begins after a second at rest`(_ rest: Int64, _ begins: Bool) {
    var stillness = Stillness()
    let start: Int64 = 5_000_000_000
    let now = start + rest * 1_000_000
    _ = stillness.isNeeded(Acceleration(x: 0, y: -9.8, z: 0), at: start)
    _ = stillness.isNeeded(Acceleration(x: 2, y: -9.6, z: 0), at: now)
    #expect((stillness.movementUntil > now) == begins)
  }
}
