// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import SensorSources

@Suite struct ThreadUsageTests {
  @Test func whoWaitsIsCountedAndWhoReadsTheClockIsNot() {
    let before = ThreadUsage.waits
    for _ in 1...1000 { _ = clock() }
    let busy = ThreadUsage.waits
    usleep(1000)
    #expect(busy == before)
    #expect(ThreadUsage.waits == busy + 1)
  }
}
