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
    #expect(Doze.hysteresis < Stillness.noiseLimit)
  }

  /// 0.4 would be 0.4 g for such a hub on a real kernel: it would sleep on until it is tilted by 23°.
  @Test(arguments: [(0.009_806_65, 0.041), (9.806_65, 0.041), (0.009_58, 0.4), (0.01, 0.4), (nil, 0.4)])
  func aHubThatCountsInGIsToldInG(scale: Double?, written: Double) {
    #expect(SampleStream.written(hysteresis: 0.4, scale: scale) == written)
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
