// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import SensorSources

@Suite struct ThreadUsageTests {
  @Test func whoWaitsIsCountedAndWhoReadsTheClockIsNot() {
    // Now and then even who only reads waits, for a page of memory.
    let isNotCounted = (1...100).contains { _ in
      waits { for _ in 1...1000 { _ = clock() } } == 0
    }
    #expect(isNotCounted)
    #expect(waits { poll(nil, 0, 1) } > 0)
  }

  private func waits(_ work: () -> Void) -> Int {
    let before = ThreadUsage.waits
    work()
    return Int(ThreadUsage.waits - before)
  }
}
