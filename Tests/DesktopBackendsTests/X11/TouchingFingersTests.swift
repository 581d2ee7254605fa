// SPDX-License-Identifier: MIT

import Testing

@testable import DesktopBackends

@Suite("fingers down")
@MainActor
struct TouchingFingersTests {
  static let thumb = Finger(device: 8, touch: 1)
  static let index = Finger(device: 8, touch: 2)
  static let onAnotherDevice = Finger(device: 9, touch: 1)

  @Test func `only the first touch and the last end are reported`() {
    var fingers = TouchingFingers()
    let began = [fingers.began(Self.thumb), fingers.began(Self.index), fingers.began(Self.onAnotherDevice)]
    #expect(began == [true, false, false])
    let ended = [fingers.ended(Self.thumb), fingers.ended(Self.onAnotherDevice), fingers.ended(Self.index)]
    #expect(ended == [false, false, true])
  }

  @Test func `the end of an unknown touch is ignored`() {
    var fingers = TouchingFingers()
    let endedBefore = fingers.ended(Self.thumb)
    let began = [fingers.began(Self.thumb), fingers.began(Self.thumb)]
    let ended = [fingers.ended(Self.index), fingers.ended(Self.thumb)]
    #expect(!endedBefore)
    #expect(began == [true, false])
    #expect(ended == [false, true])
  }

  @Test func `a removed device ends its touches`() {
    var fingers = TouchingFingers()
    let atFirst = fingers.keep(onlyOn: [])
    _ = fingers.began(Self.thumb)
    _ = fingers.began(Self.onAnotherDevice)
    let kept = [fingers.keep(onlyOn: [9]), fingers.keep(onlyOn: []), fingers.keep(onlyOn: [])]
    #expect(!atFirst)
    #expect(kept == [false, true, false])
  }
}
