// SPDX-License-Identifier: MIT

import Autorotation
import Peers
import Testing

/// The known behaviour of the peers: at which angles they rotate and how late.
struct PeerRuleTests {
  static let uprights: [(angle: Double, DeviceOrientation)] = [
    (0, .normal), (90, .leftUp), (180, .bottomUp), (270, .rightUp),
  ]

  /// Without noise.
  private static func still(_ angle: Double, tilt: Double = 0, seconds: Double = 3) -> Motion {
    var motion = Motion(rate: 50, from: angle, tilt: tilt)
    motion.noise = 0
    motion.rest(seconds)
    return motion
  }

  @Test(arguments: PeerRule.allCases)
  func `each peer knows the four orientations`(_ rule: PeerRule) {
    for (angle, orientation) in Self.uprights {
      for tilt in [-10.0, 0, 20] {
        let words = Self.still(angle, tilt: tilt).rotations(by: rule.makeRule()).map(\.to)
        #expect(words == [orientation])
      }
    }
  }

  @Test(arguments: PeerRule.allCases)
  func `each peer keeps its orientation while flat`(_ rule: PeerRule) {
    var motion = Self.still(90)
    motion.move(to: 90, tilt: 88, in: 1)
    motion.move(to: 180, in: 1)
    motion.rest(3)
    #expect(motion.rotations(by: rule.makeRule()).map(\.to) == [.leftUp])
  }

  /// Degrees from normal, upright: there and back.
  static let switches: [(PeerRule, there: ClosedRange<Double>, back: ClosedRange<Double>)] = [
    (.sensorProxy, 54...55, 35...36), (.quickSensorProxy, 54...55, 35...36), (.rot8, 48...50, 40...42),
    (.chromeOS, 59...61, 29...31), (.android, 66...68, 22...24),
  ]

  @Test(arguments: switches)
  func `each peer rotates at its angle`(
    _ rule: PeerRule, _ there: ClosedRange<Double>, _ back: ClosedRange<Double>
  ) {
    let (first, second) = (Self.slowRotation.angle(ofChangeBy: rule), Self.slowReturn.angle(ofChangeBy: rule))
    #expect(there.contains(first), "\(first)")
    #expect(back.contains(second), "\(second)")
  }

  // Only read, once they are made.
  private nonisolated(unsafe) static let slowRotation = Steps(
    from: 0, to: Array(stride(from: 10, through: 90, by: 0.25)))
  private nonisolated(unsafe) static let slowReturn = Steps(
    from: 90, to: Array(stride(from: 80, through: 0, by: -0.25)))

  /// A motion in small steps, where the device rests after each.
  private struct Steps {
    private var motion: Motion
    private var times: [(time: Double, angle: Double)] = []

    init(from: Double, to angles: [Double]) {
      motion = still(from)
      for angle in angles {
        times.append((motion.now, angle))
        motion.move(to: angle, in: 0.02)
        motion.rest(2)
      }
    }

    /// The angle at which the decision changes.
    func angle(ofChangeBy rule: PeerRule) -> Double {
      let rotations = motion.rotations(by: rule.makeRule())
      guard rotations.count == 2 else { return .nan }
      return times.last { $0.time < rotations[1].time }?.angle ?? .nan
    }
  }

  /// Mean seconds to a clean quarter rotation of 0.4 s, over all phases of the polling.
  static let delays: [(PeerRule, ClosedRange<Double>)] = [
    (.sensorProxy, 0.5...0.68), (.rot8, 0.4...0.55), (.chromeOS, 0.25...0.34), (.android, 0.5...0.62),
  ]

  @Test(arguments: delays)
  func `each peer has its known delay`(_ rule: PeerRule, _ expected: ClosedRange<Double>) {
    let delays = (0..<70).map { phase in
      var motion = Self.still(0, seconds: 2 + Double(phase) / 100)
      let begin = motion.now
      motion.move(to: 90, in: 0.4)
      motion.rest(2)
      return (motion.rotations(by: rule.makeRule()).last?.time ?? .infinity) - begin
    }
    let mean = delays.reduce(0, +) / Double(delays.count)
    #expect(expected.contains(mean), "\(mean)")
  }

  @Test(arguments: PeerRule.allCases)
  func `any samples are accepted without a trap`(_ rule: PeerRule) {
    var random = SeededGenerator(seed: 21)
    var rule = rule.makeRule()
    let scales = [1e-308, 1e-3, 1, 9.8, 280, 1e150, 1e308, .infinity, .nan]
    for _ in 0..<5_000 {
      let scale = scales.randomElement(using: &random) ?? 1
      let axis = { (random: inout SeededGenerator) in Double.random(in: -1...1, using: &random) * scale }
      let a = Acceleration(x: axis(&random), y: axis(&random), z: axis(&random))
      let nanoseconds = Int64.random(in: .min ... .max, using: &random)
      let time = Instant(nanoseconds: nanoseconds >> Int64.random(in: 0...40, using: &random))
      let before = rule.uprightOrientation
      let hasChanged = rule.add(a, at: time)
      #expect(hasChanged == (rule.uprightOrientation != before))
    }
  }
}
