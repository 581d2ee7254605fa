// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

struct DozeTests {
  private static let minute: Int64 = 60_000_000_000
  private static let place = Acceleration(x: 0, y: -9.8, z: 0.3)
  private static let turned = Acceleration(x: 9.8, y: 0, z: 0.3)

  private static func dozing() -> Doze {
    var doze = Doze()
    doze.begin(at: place)
    return doze
  }

  @Test func whatItDoesNotTellWouldNotBeNews() {
    #expect(Doze.hysteresis < Stillness.tremble)
  }

  @Test func aHubThatKeepsAMovementBackIsTrustedNoMore() {
    var doze = Self.dozing()
    doze.check(Self.turned)
    #expect(!doze.isOn)
    #expect(!doze.isTrusted)
  }

  @Test func oneThatHasToldOfItIsTrusted() {
    var doze = Self.dozing()
    doze.hear(Self.turned)
    doze.check(Self.turned)
    #expect(doze.isOn)
    #expect(doze.isTrusted)
  }

  @Test func asLongAsItHoldsItIsCheckedEverMoreSeldom() {
    var doze = Self.dozing()
    var waits: [Int64] = []
    for _ in 1...6 {
      waits.append(doze.patience / Self.minute)
      doze.check(Self.place)
    }
    #expect(waits == [2, 4, 8, 16, 32, 60])
  }
}
