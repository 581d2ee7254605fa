// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

struct OnChangeModeTests {
  private static let minute: Int64 = 60_000_000_000
  private static let place = Acceleration(x: 0, y: -9.8, z: 0.3)
  private static let turned = Acceleration(x: 9.8, y: 0, z: 0.3)

  private static func started() -> OnChangeMode {
    var mode = OnChangeMode()
    mode.begin(at: place)
    return mode
  }

  @Test func `the hysteresis is below the movement threshold`() {
    #expect(OnChangeMode.hysteresis < Stillness.noiseLimit)
  }

  /// A real kernel would pass 0.4 to such a hub as 0.4 g: it would report nothing below a tilt of 23°.
  @Test(arguments: [(0.009_806_65, 0.041), (9.806_65, 0.041), (0.009_58, 0.4), (0.01, 0.4), (nil, 0.4)])
  func `a hub in g gets its hysteresis in g`(scale: Double?, written: Double) {
    #expect(SampleStream.attributeValue(hysteresis: 0.4, scale: scale) == written)
  }

  @Test func `a hub that misses a movement is no longer trusted`() {
    var mode = Self.started()
    mode.check(Self.turned)
    #expect(!mode.isOn)
    #expect(!mode.isTrusted)
  }

  @Test func `a hub that reports a movement stays trusted`() {
    var mode = Self.started()
    mode.receive(Self.turned)
    mode.check(Self.turned)
    #expect(mode.isOn)
    #expect(mode.isTrusted)
  }

  @Test func `a hub that works is checked less and less often`() {
    var mode = Self.started()
    var intervals: [Int64] = []
    for _ in 1...6 {
      intervals.append(mode.checkInterval / Self.minute)
      mode.check(Self.place)
    }
    #expect(intervals == [2, 4, 8, 16, 32, 60])
  }
}
