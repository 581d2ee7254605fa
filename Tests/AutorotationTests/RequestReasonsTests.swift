// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct RequestReasonsTests {
  private func situation(_ masks: [[OrientationName]]) -> Situation {
    var situation = Situation()
    situation.requests = masks.enumerated().map { index, mask in
      OrientationRequest(id: UInt32(index + 1), mask: mask, application: "app\(index + 1)", why: "")
    }
    return situation
  }

  private func requestReasons(_ situation: Situation) -> [String] {
    situation.decide().reasons.map { $0.message(on: .landscape).description }.filter {
      $0.contains("asks") || $0.contains("request")
    }
  }

  @Test func `a few requests are named`() {
    let reasons = requestReasons(situation([[.all], [.all], [.left]]))
    #expect(reasons.count == 3)
    #expect(reasons.last == "app3 asks for left edge up.")
  }

  @Test func `the first requests are named and the others counted`() {
    let reasons = requestReasons(situation(Array(repeating: [.all], count: 256)))
    #expect(reasons.count == 4)
    #expect(reasons.last == "253 more requests are active.")
    #expect(
      requestReasons(situation(Array(repeating: [.all], count: 4))).last == "One more request is active.")
  }

  @Test func `the first of two requests against a rule is named`() {
    var situation = situation([[.left], [.right]])
    situation.requests[1].why = "the second"
    for index in situation.requests.indices { situation.requests[index].application = "game" }
    situation.window = Window(id: 1, identifiers: ["game"])
    let rule = ApplicationRule(
      source: "game.toml:1", layer: .shipped, matches: ["game"], supported: [.normal])
    situation.rule = rule
    let conflict = Reason.ruleConflicts(
      application: "game", source: rule.source, request: situation.requests[0])
    #expect(situation.decide().reasons.contains(conflict))
  }

  @Test func `a lock overrides only what there is`() {
    let rule = ApplicationRule(source: "game.toml:1", matches: ["game"], supported: [.left])
    for (rule, masks) in [(nil, []), (rule, []), (nil, [[.left]])]
      as [(ApplicationRule?, [[OrientationName]])]
    {
      var situation = situation(masks)
      (situation.rule, situation.lock) = (rule, Lock(orientation: .right))
      situation.settings.lockOverApps = true
      let overrides = situation.decide().reasons.contains(.lockOverridesApplications)
      #expect(overrides == (rule != nil || !masks.isEmpty))
    }
  }

  @Test func `requests that are only counted still apply`() {
    let many = situation([[.all], [.all], [.all], [.left]])
    #expect(many.decide().allowed == OrientationMask(.left))
    #expect(many.decide().orientation == .left)
  }
}
