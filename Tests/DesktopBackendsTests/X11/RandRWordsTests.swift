// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("RandR's words")
@MainActor
struct RandRWordsTests {
  @Test(
    arguments: [(.none, 1), (.turned90, 2), (.turned180, 4), (.turned270, 8)] as [(DisplayTransform, UInt16)])
  func eachTurnIsOneBit(transform: DisplayTransform, bit: UInt16) {
    #expect(transform.randrRotation == bit)
    #expect(DisplayTransform(randrRotation: bit) == transform)
  }

  @Test func aReflectionIsNoTurnAndIsKept() {
    #expect(DisplayTransform(randrRotation: 16 | 2) == .turned90)
    #expect(DisplayTransform.turned180.replacingTurn(in: 32 | 16 | 2) == 32 | 16 | 4)
  }

  @Test func noTurnOrTwoAreNone() {
    #expect(DisplayTransform(randrRotation: 0) == nil)
    #expect(DisplayTransform(randrRotation: 3) == nil)
    #expect(DisplayTransform(randrRotation: 16) == nil)
  }

  @Test func whatACRTCOffers() {
    #expect(TransformSet(randrRotations: 0x3f) == .all)
    #expect(TransformSet(randrRotations: 1) == TransformSet(.none))
    #expect(TransformSet(randrRotations: 0x15) == [TransformSet(.none), TransformSet(.turned180)])
  }
}
