// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("limit of corrections")
@MainActor
struct CorrectionLimitTests {
  private func seconds(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  private func decisions(_ limit: inout CorrectionLimit<String>, at times: [Double]) -> [CorrectionLimit<
    String
  >.Decision] {
    times.map { limit.decide(on: "touch", at: seconds($0)) }
  }

  @Test func `three changes within a minute are corrected`() {
    var limit = CorrectionLimit<String>()
    #expect(
      decisions(&limit, at: [0, 1, 59, 59.9, 70, 500]) == [
        .correct, .correct, .correct, .giveUp, .ignore, .ignore,
      ])
    #expect(limit.isIgnored("touch"))
  }

  @Test func `slow changes are always corrected`() {
    var limit = CorrectionLimit<String>()
    #expect(decisions(&limit, at: [0, 30, 59, 60, 90, 119, 120]).allSatisfy { $0 == .correct })
  }

  @Test func `each device has its own limit`() {
    var limit = CorrectionLimit<String>()
    _ = decisions(&limit, at: [0, 0, 0, 0])
    #expect(limit.decide(on: "pen", at: seconds(0)) == .correct)
  }

  @Test func `a retry keeps the limit and is not reported again`() {
    var limit = CorrectionLimit<String>()
    _ = decisions(&limit, at: [0, 0, 0, 0])
    limit.retry()
    #expect(decisions(&limit, at: [30]) == [.ignore])
    limit.retry()
    #expect(decisions(&limit, at: [61, 61, 61, 61]) == [.correct, .correct, .correct, .ignore])
  }

  @Test func `a device that comes back starts over`() {
    var limit = CorrectionLimit<String>()
    _ = decisions(&limit, at: [0, 0, 0, 0])
    limit.forget { $0 == "touch" }
    #expect(decisions(&limit, at: [1, 1, 1, 1]) == [.correct, .correct, .correct, .giveUp])
  }
}
