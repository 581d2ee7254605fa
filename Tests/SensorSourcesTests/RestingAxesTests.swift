// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct RestingAxesTests {
  private static func axes(at place: Acceleration, times: Int = 8) -> [[MountMatrix.Axis]] {
    var axes = RestingAxes()
    return (0..<times).map { _ in axes.next(at: place) }
  }

  @Test(arguments: [
    (Acceleration(x: 0.2, y: -8, z: -5), MountMatrix.Axis.x), (Acceleration(x: -9.5, y: 0.4, z: 1), .y),
  ])
  func `upright the level axis is read three times of four`(place: Acceleration, level: MountMatrix.Axis) {
    let read = Self.axes(at: place)
    let other: MountMatrix.Axis = level == .x ? .y : .x
    let cycle = [[level], [level], [level], [other]]
    #expect(read == cycle + cycle, "it may fall over backwards")
  }

  @Test(arguments: [Acceleration(x: 0.1, y: -0.3, z: 9.8), Acceleration(x: 3, y: -4, z: 8.4)])
  func `flat both axes are read`(place: Acceleration) {
    #expect(Self.axes(at: place, times: 2) == [[.x, .y], [.x, .y]])
  }

  /// Each change of the device orientation shows within four reads, before it is halfway.
  @Test func `every rotation is detected within four reads`() {
    let g = 9.81
    let orientations = [(0, -g, 0), (g, 0, 0), (0, g, 0), (-g, 0, 0), (0, 0, g), (0, 0, -g)]
      .map { Acceleration(x: $0.0, y: $0.1, z: $0.2) }
    for from in orientations {
      for to in orientations where abs(to.x - from.x) + abs(to.y - from.y) > 1 {
        let isDetected = Self.axes(at: from, times: 4).joined().contains { axis in
          abs((axis == .x ? to.x : to.y) - (axis == .x ? from.x : from.y)) > Stillness.noiseLimit
        }
        #expect(isDetected, "\(from) to \(to)")
      }
    }
  }
}
