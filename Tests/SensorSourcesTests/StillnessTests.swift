// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct StillnessTests {
  private static let second: Int64 = 1_000_000_000
  private static let upright = Acceleration(x: 0, y: -9.8, z: 0.3)

  /// The stillness of a device that has been at rest for some seconds.
  private func still(for seconds: Int64) -> (Stillness, now: Int64) {
    var stillness = Stillness()
    var now: Int64 = 5 * Self.second
    let end = now + seconds * Self.second
    while now <= end {
      _ = stillness.isNeeded(Self.upright, at: now)
      now += ReadingPace().interval(.resting, stillness.rest(at: now))
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
      now += ReadingPace().interval(.resting, stillness.rest(at: now))
    }
    #expect(wakeUps <= 2 * 60)
  }

  /// The delay that rest adds to a rotation, and its cost where each read waits for the hardware, and so wakes up twice.
  @Test(arguments: [12, 29, 31, 3600])
  func `at rest there is a read every 0.6 s`(seconds: Int64) {
    let (stillness, now) = still(for: seconds)
    let interval = ReadingPace().interval(.resting, stillness.rest(at: now))
    #expect(interval <= 600_000_000)
    #expect(2 * Self.second / interval <= 4, "wake-ups a second")
  }

  @Test func `each demand has its pace`() {
    let pace = ReadingPace()
    for (demand, milliseconds) in [(SensorDemand.following, 60), (.resting, 300)] {
      #expect(pace.interval(demand) == Int64(milliseconds) * 1_000_000)
      for haste in [ReadingPace.Boost.movement, .beginning] {
        #expect(pace.interval(demand, .none, haste) < 20_000_000, "quickly at first")
      }
    }
    #expect(ReadingPace.boostTime <= 500_000_000, "not for longer than a rotation may wait")
    #expect(ReadingPace.boostTime >= 300_000_000, "for most of what a hand takes to turn the device")
  }

  @Test func `a movement is reported at once and ends the rest`() {
    var (stillness, now) = still(for: 20)
    now += Self.second / 2
    let turned = Acceleration(x: 0.8, y: -9.7, z: 0.3)
    let isNews = stillness.isNeeded(turned, at: now)
    #expect(isNews)
    #expect(!stillness.isStill(at: now))
    let isNewsStill = stillness.isNeeded(turned, at: now + 1)
    #expect(isNewsStill)
  }

  @Test func `a movement from rest is read quickly for a moment`() {
    var (stillness, now) = still(for: 2)
    #expect(stillness.movementUntil < now)
    now += Self.second / 2
    _ = stillness.isNeeded(Acceleration(x: 0.8, y: -9.7, z: 0.3), at: now)
    let end = now + ReadingPace.boostTime
    #expect(stillness.movementUntil == end)
    _ = stillness.isNeeded(Acceleration(x: 1.8, y: -9.6, z: 0.3), at: now + Self.second / 2)
    #expect(stillness.movementUntil == end, "the movement began before")
    #expect(ReadingPace().interval(.resting, .still, .movement) < 20_000_000)
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
}
