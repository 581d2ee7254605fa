// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// A device that lay flat has no direction in the plane of the screen, or one of little meaning, to rotate from.
struct LyingFlatTests {
  /// What the classifier has decided after these samples, each of which lasts for 0.1 s.
  private static func decision(after samples: [(x: Double, y: Double, z: Double)]) -> DeviceOrientation {
    var classifier = OrientationClassifier()
    for (number, a) in samples.enumerated() {
      _ = classifier.add(Acceleration(x: a.x, y: a.y, z: a.z), at: Instant(seconds: 0.1 * Double(number)))
    }
    return classifier.uprightOrientation
  }

  private static func repeated(
    _ x: Double, _ y: Double, _ z: Double, times: Int
  ) -> [(x: Double, y: Double, z: Double)] {
    Array(repeating: (x, y, z), count: times)
  }

  /// It is still on its way: before, its lower edge was slightly down.
  @Test func `one sample of a device that is picked up decides nothing`() {
    let before = Self.repeated(0, -9.8, 0, times: 10) + Self.repeated(0, -0.1, 9.8, times: 10)
    #expect(Self.decision(after: before + Self.repeated(9.8, 0, 0, times: 1)) == .normal)
    #expect(Self.decision(after: before + Self.repeated(9.8, 0, 0, times: 3)) == .leftUp)
  }

  @Test func `an exactly flat start delays no rotation`() {
    let before = Self.repeated(0, 0, 9.8, times: 10) + Self.repeated(0, -9.8, 0, times: 10)
    #expect(Self.decision(after: before + Self.repeated(9.8, 0, 0, times: 3)) == .leftUp)
  }
}
