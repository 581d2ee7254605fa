// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct ReadingHealthTests {
  private let second: Int64 = 1_000_000_000
  private let still = Acceleration(x: 0, y: -9.81, z: 0)

  @Test func `only failures in a row lose the sensor`() {
    var health = ReadingHealth()
    for _ in 0..<3 {
      for _ in 1..<ReadingHealth.failuresUntilLost {
        let isLost = health.recordFailure()
        #expect(!isLost)
      }
      _ = health.record(still, at: 0)
    }
    let verdicts = (0..<5).map { _ in health.recordFailure() }
    #expect(verdicts == [false, false, false, false, true])
  }

  @Test func `backs off from one second to thirty`() {
    var health = ReadingHealth()
    let waits = (0..<7).map { _ in health.nextBackoff() / second }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30])
    _ = health.record(still, at: 0)
    let wait = health.nextBackoff()
    #expect(wait == second)
  }

  /// Reads every 300 ms for an hour.
  private func reopenings(_ value: (Int64) -> Acceleration) -> [Int64] {
    var health = ReadingHealth()
    return stride(from: 0, to: 3600 * second, by: 300_000_000).filter { health.record(value($0), at: $0) }
      .map { $0 / second }
  }

  @Test func `a frozen sensor is reopened less and less often`() {
    #expect(reopenings { _ in still } == [60, 180, 420, 900, 1860])
  }

  @Test func `noise in the last bit shows that a sensor works`() {
    let reopened = reopenings { now in
      Acceleration(x: now / (59 * second) % 2 == 0 ? 0 : 0.01, y: -9.81, z: 0)
    }
    #expect(reopened == [])
  }

  @Test func `a pause does not count as frozen`() {
    var health = ReadingHealth()
    let beforehand = health.record(still, at: 0)
    health.pause()
    let afterwards = [100, 159, 160].map { health.record(still, at: $0 * second) }
    #expect(!beforehand)
    #expect(afterwards == [false, false, true])
  }
}
