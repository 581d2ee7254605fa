// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct StillnessTests {
  private static let second: Int64 = 1_000_000_000
  private static let upright = Acceleration(x: 0, y: -9.8, z: 0.3)

  /// The stillness of a device that has been at rest for some seconds.
  private func still(for seconds: Int64) -> (Stillness, now: Int64) {
    var stillness = Stillness()
    var now: Int64 = 5 * Self.second
    let end = now + seconds * Self.second
    while now <= end {
      _ = stillness.isNeeded(Self.upright, at: now)
      now += stillness.interval(at: now)
    }
    return (stillness, now)
  }

  @Test func `the first sample is reported as motion`() {
    var stillness = Stillness()
    #expect(!stillness.isStill(at: 0))
    for moment in 0...1 {
      let isNews = stillness.isNeeded(Self.upright, at: Int64(moment))
      #expect(isNews)
    }
    #expect(!stillness.isStill(at: 9 * Self.second))
  }

  @Test func `the two threads wake up at most twice a second`() {
    var (stillness, now) = still(for: 11)
    let begin = now
    var wakeUps = 0
    while now < begin + 60 * Self.second {
      wakeUps += 1
      if stillness.isNeeded(Self.upright, at: now) { wakeUps += 1 }
      now += stillness.interval(at: now)
    }
    #expect(wakeUps <= 2 * 60)
  }

  /// The delay that rest adds to a rotation, and its cost where each read waits for the hardware, and so wakes up twice.
  @Test(arguments: [12, 29, 31, 3600])
  func `at rest there is a read every 0.6 s`(seconds: Int64) {
    let (stillness, now) = still(for: seconds)
    let interval = stillness.interval(at: now)
    #expect(interval <= 600_000_000)
    #expect(2 * Self.second / interval <= 4, "wake-ups a second")
  }

  @Test func `a movement is reported at once and ends the rest`() {
    var (stillness, now) = still(for: 20)
    now += Self.second / 2
    let rotated = Acceleration(x: 0.8, y: -9.7, z: 0.3)
    let isNews = stillness.isNeeded(rotated, at: now)
    #expect(isNews)
    #expect(!stillness.isStill(at: now))
    let isNewsStill = stillness.isNeeded(rotated, at: now + 1)
    #expect(isNewsStill)
  }

  @Test func `a movement from rest is read quickly for a moment`() {
    var (stillness, now) = still(for: 2)
    #expect(stillness.movementUntil < now)
    now += Self.second / 2
    _ = stillness.isNeeded(Acceleration(x: 0.8, y: -9.7, z: 0.3), at: now)
    let end = now + ReadSchedule.boostTime
    #expect(stillness.movementUntil == end)
    _ = stillness.isNeeded(Acceleration(x: 1.8, y: -9.6, z: 0.3), at: now + Self.second / 2)
    #expect(stillness.movementUntil == end, "the movement began before")
  }

  @Test func `an invalid value is reported`() {
    var (stillness, now) = still(for: 20)
    for _ in 1...3 {
      let isNews = stillness.isNeeded(Acceleration(x: .nan, y: 0, z: 0), at: now)
      #expect(isNews)
    }
    now += 1
    let isNews = stillness.isNeeded(Self.upright, at: now)
    #expect(isNews)
  }

  @Test func `a device is at rest after 10 seconds`() {
    var stillness = Stillness()
    _ = stillness.isNeeded(Acceleration(x: 0, y: -9.8, z: 0), at: 50_000_000_000)
    let moments: [Int64] = [59, 60, 79, 80].map { $0 * Self.second }
    #expect(moments.map(stillness.isStill) == [false, true, true, true])
    #expect(moments.map(stillness.interval) == [300, 500, 500, 600].map { $0 * 1_000_000 })
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
