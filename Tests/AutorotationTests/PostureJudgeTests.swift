// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// What switches and hinge make together. The stories are in the scenarios.
struct PostureJudgeTests {
  private static func witness(_ kind: PostureWitness.Kind) -> PostureWitness {
    PostureWitness(kind: kind, name: "\(kind)")
  }

  private static func judge(
    tablet: Bool? = nil, docked: Bool? = nil, isLidClosed: Bool = false, hinge: Posture = .unknown
  ) -> PostureJudge {
    var evidence = PostureEvidence(isLidClosed: isLidClosed)
    evidence.words[witness(.tabletSwitch)] = tablet.map { $0 ? .tablet : .laptop }
    evidence.words[witness(.dock)] = docked.map { $0 ? .docked : .unknown }
    var judge = PostureJudge()
    judge.hear(evidence, at: Instant(seconds: 1))
    judge.hear(HingeWord(hinge), at: Instant(seconds: 1))
    judge.conclude(at: Instant(seconds: 1))
    return judge
  }

  @Test(
    arguments: [
      (nil, nil, .unknown, .unknown), (nil, nil, .laptop, .laptop), (nil, nil, .tablet, .tablet),
      (false, nil, .tablet, .laptop), (true, nil, .laptop, .tablet),
      (nil, false, .unknown, .unknown), (nil, true, .unknown, .docked), (false, true, .unknown, .docked),
      (true, true, .unknown, .tablet),
    ] as [(Bool?, Bool?, Posture, Posture)])
  func theSwitchesGoFirst(tablet: Bool?, docked: Bool?, hinge: Posture, posture: Posture) {
    #expect(Self.judge(tablet: tablet, docked: docked, hinge: hinge).posture == posture)
  }

  /// Two readings a second, which nobody pays who does not need them.
  @Test func theHingeRestsOnceBothHaveAgreedBothWays() {
    var judge = Self.judge(tablet: false, hinge: .laptop)
    var now = Instant(seconds: 1)
    func fold(_ isTablet: Bool) {
      now = now + .seconds(10)
      judge.hear(HingeWord(isTablet ? .tablet : .laptop), at: now)
      judge.hear(PostureEvidence([Self.witness(.tabletSwitch): isTablet ? .tablet : .laptop]), at: now)
      judge.conclude(at: now)
    }
    #expect(judge.needsHinge(at: now))
    fold(true)
    #expect(judge.needsHinge(at: now + .seconds(9)))
    fold(false)
    #expect(judge.needsHinge(at: now), "it has just moved")
    #expect(judge.deadline(after: now) == now + PostureJudge.verifyingTime)
    #expect(!judge.needsHinge(at: now + PostureJudge.verifyingTime))
    #expect(judge.deadline(after: now + PostureJudge.verifyingTime) == nil, "nothing wakes it any more")
    fold(true)
    #expect(judge.needsHinge(at: now), "it is verified each time")
  }

  /// The switch of a tablet does not move when it is put up as a tent.
  @Test func whileFoldedTheHingeIsMeasuredForWhomATentIsNews() {
    var judge = Self.judge(tablet: false, hinge: .laptop)
    for (second, isTablet) in [(10.0, true), (20, false), (30, true)] {
      let now = Instant(seconds: second)
      judge.hear(HingeWord(isTablet ? .tablet : .laptop), at: now)
      judge.hear(PostureEvidence([Self.witness(.tabletSwitch): isTablet ? .tablet : .laptop]), at: now)
      judge.conclude(at: now)
    }
    let later = Instant(seconds: 60)
    #expect(!judge.needsHinge(at: later))
    judge.tellsShape = true
    #expect(judge.needsHinge(at: later))
    judge.hear(PostureEvidence([Self.witness(.tabletSwitch): .laptop]), at: later)
    judge.conclude(at: later)
    #expect(!judge.needsHinge(at: later + .seconds(9)))
  }

  @Test func aSwitchThatKnowsATentIsBelieved() {
    var judge = PostureJudge()
    judge.hear(PostureEvidence([Self.witness(.tabletSwitch): .tent]), at: Instant(seconds: 1))
    judge.conclude(at: Instant(seconds: 1))
    #expect(judge.posture == .tent)
    #expect(judge.testimonies(at: Instant(seconds: 1)).map(\.counts) == [true])
    let other = PostureWitness(kind: .tabletSwitch, name: "other")
    judge.hear(
      PostureEvidence([Self.witness(.tabletSwitch): .tent, other: .stand]), at: Instant(seconds: 2))
    judge.conclude(at: Instant(seconds: 3))
    #expect(judge.posture == .tablet || judge.posture == .stand)
  }

  @Test func withoutASwitchTheHingeIsMeasured() {
    #expect(Self.judge().needsHinge(at: .never))
    #expect(Self.judge(docked: true).needsHinge(at: .never))
    #expect(Self.judge(isLidClosed: true).isLidClosed)
  }

  @Test func aDeadSwitchKeepsTheHingeMeasured() {
    var judge = Self.judge(tablet: false, hinge: .laptop)
    for (second, word) in [(10.0, Posture.tablet), (20, .laptop), (30, .tablet), (40, .laptop)] {
      judge.hear(HingeWord(word), at: Instant(seconds: second))
      judge.conclude(at: Instant(seconds: second))
      judge.conclude(at: Instant(seconds: second + 5))
      #expect(judge.posture == word)
      #expect(judge.needsHinge(at: Instant(seconds: second + 9)))
    }
  }
}
