// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

struct OnChangeModeTests {
  private static let minute: Int64 = 60_000_000_000
  private static let place = Acceleration(x: 0, y: -9.8, z: 0.3)
  private static let rotated = Acceleration(x: 9.8, y: 0, z: 0.3)

  private static func started() -> OnChangeMode {
    var mode = OnChangeMode()
    mode.reported = place
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

  @Test(arguments: 0..<3, [-1.0, 1])
  func `a change is more than twice the hysteresis on one axis`(axis: Int, sign: Double) {
    let isChange = { (size: Double) in
      var read = [3.0, -4, 5]
      read[axis] += sign * size
      return OnChangeMode.isChange(
        from: Acceleration(x: 3, y: -4, z: 5), to: Acceleration(x: read[0], y: read[1], z: read[2]))
    }
    #expect(!isChange(2 * OnChangeMode.hysteresis - 0.01) && isChange(2 * OnChangeMode.hysteresis + 0.01))
  }

  @Test func `a mode that has ended may begin again`() {
    var mode = Self.started()
    mode.reported = nil
    #expect(!mode.isOn && mode.isTrusted)
  }

  @Test func `a hub that misses a movement is no longer trusted`() {
    var mode = Self.started()
    mode.check(Self.rotated)
    #expect(!mode.isOn)
    #expect(!mode.isTrusted)
  }

  @Test func `a hub that reports a movement stays trusted`() {
    var mode = Self.started()
    mode.reported = Self.rotated
    mode.check(Self.rotated)
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
