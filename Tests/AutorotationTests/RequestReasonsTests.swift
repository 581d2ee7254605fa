// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct RequestReasonsTests {
  private func situation(_ masks: [[OrientationWord]]) -> Situation {
    var situation = Situation()
    situation.requests = masks.enumerated().map { index, mask in
      OrientationRequest(id: UInt32(index + 1), mask: mask, application: "app\(index + 1)", why: "")
    }
    return situation
  }

  private func requestReasons(_ situation: Situation) -> [String] {
    situation.decide().reasons.map(\.message.description).filter {
      $0.contains("asks") || $0.contains("request")
    }
  }

  @Test func aFewAreNamed() {
    let told = requestReasons(situation([[.all], [.all], [.left]]))
    #expect(told.count == 3)
    #expect(told.last == "app3 asks for left.")
  }

  @Test func ofManyTheFirstAreNamedAndTheOthersCounted() {
    let told = requestReasons(situation(Array(repeating: [.all], count: 256)))
    #expect(told.count == 4)
    #expect(told.last == "There are 253 requests more.")
    #expect(
      requestReasons(situation(Array(repeating: [.all], count: 4))).last == "There is one request more.")
  }

  @Test func thoseThatAreOnlyCountedTakePart() {
    let many = situation([[.all], [.all], [.all], [.left]])
    #expect(many.decide().allowed == OrientationMask(.left))
    #expect(many.decide().orientation == .left)
  }
}
