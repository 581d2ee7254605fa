// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("limit of corrections")
@MainActor
struct CorrectionLimitTests {
  private func seconds(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  private func decisions(_ limit: inout CorrectionLimit<String>, at times: [Double]) -> [Bool] {
    times.map { limit.allow("touch", at: seconds($0)) }
  }

  @Test func `three changes within a minute are corrected`() {
    var limit = CorrectionLimit<String>()
    #expect(decisions(&limit, at: [0, 1, 59, 59.9, 70, 500]) == [true, true, true, false, false, false])
    #expect(limit.isIgnored("touch"))
  }

  @Test func `slow changes are always corrected`() {
    var limit = CorrectionLimit<String>()
    #expect(decisions(&limit, at: [0, 30, 59, 60, 90, 119, 120]).allSatisfy { $0 })
  }

  @Test func `each device has its own limit`() {
    var limit = CorrectionLimit<String>()
    _ = decisions(&limit, at: [0, 0, 0, 0])
    let isPenCorrected = limit.allow("pen", at: seconds(0))
    #expect(isPenCorrected)
  }

  @Test func `a retry keeps the limit`() {
    var limit = CorrectionLimit<String>()
    _ = decisions(&limit, at: [0, 0, 0, 0])
    limit.retry()
    #expect(decisions(&limit, at: [30]) == [false])
    limit.retry()
    #expect(decisions(&limit, at: [61, 61, 61, 61]) == [true, true, true, false])
  }

  @Test func `a device that comes back starts over`() {
    var limit = CorrectionLimit<String>()
    _ = decisions(&limit, at: [0, 0, 0, 0])
    limit.forget { $0 == "touch" }
    #expect(decisions(&limit, at: [1, 1, 1, 1]) == [true, true, true, false])
  }
}
