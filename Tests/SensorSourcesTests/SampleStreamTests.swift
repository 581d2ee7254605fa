// SPDX-License-Identifier: MIT

import Testing

@testable import SensorSources

@Suite struct SampleStreamTests {
  /// Nanoseconds, on a clock that reads 100 s.
  @Test(
    arguments: [
      (100_000_000_000, 0), (99_999_999_999, 1), (99_000_000_000, 1_000_000_000), (98_999_999_999, 0),
      (100_000_000_001, 0), (91_000_000_000, 0), (109_000_000_000, 0), (0, 0), (.min, 0), (.max, 0),
    ] as [(Int64, Int64)])
  func `an age is at most a second and never negative`(timestamp: Int64, age: Int64) {
    #expect(SampleStream.age(of: timestamp, at: 100_000_000_000) == age)
  }
}
