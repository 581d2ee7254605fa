// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// Rotations while everything shakes, and accelerometers that do not measure g at rest.
struct ShakenAndOffTests {
  private static let shaking: [(amplitude: Double, hertz: Double)] = [
    (1, 8), (1, 12), (1, 24), (2, 8), (2, 12), (2, 24),
  ]

  /// A sine on each axis, like an engine.
  private static func shaken(_ amplitude: Double, _ hertz: Double, rate: Double, seed: UInt64) -> Motion {
    var motion = Motion(rate: rate, tilt: 25, seed: seed)
    motion.shake = { time in
      let phase = 2 * .pi * hertz * time
      return (amplitude * sine(phase), amplitude * sine(phase + 2), amplitude * sine(phase + 4))
    }
    motion.rest(3)
    for number in 0..<12 {
      motion.move(to: motion.angle + (number % 3 == 2 ? -90 : 90), in: 0.4 + 0.06 * Double(number))
      motion.rest(3)
    }
    return motion
  }

  /// Rotated after three of six seconds, and shaken so that no sample is evidence, only the mean of all.
  private static let shakenSamples: [(time: Double, a: Acceleration)] = (0..<300).map { number in
    let time = Double(number) / 50
    let phase = 2 * .pi * 4 * time
    let (right, up) = Motion.unit(time < 3 ? 0 : 90)
    return (
      time,
      Acceleration(
        x: 9.8 * right + 20 * sine(phase), y: -9.8 * up + 20 * sine(phase + 2), z: 20 * sine(phase + 4))
    )
  }

  @Test(arguments: shaking, [50.0, 17])
  func `no rotation is lost to vibration`(_ shaking: (amplitude: Double, hertz: Double), _ rate: Double) {
    var score = MotionScore()
    for seed in 0..<3 as Range<UInt64> {
      let motion = Self.shaken(shaking.amplitude, shaking.hertz, rate: rate, seed: seed)
      score.add(motion, classifiedBy: OrientationClassifier())
    }
    #expect(score.missed == 0 && score.delays.count == 36)
    #expect(score.lateDelay < 1, "\(score.lateDelay) s")
  }

  @Test func `a rotation is decided within a second however it is shaken`() {
    var classifier = OrientationClassifier()
    var decisions: [(time: Double, to: DeviceOrientation)] = []
    for (time, a) in Self.shakenSamples {
      if classifier.add(a, at: Instant(seconds: time)) {
        decisions.append((time, classifier.uprightOrientation))
      }
    }
    #expect(decisions.map(\.to) == [.normal, .leftUp])
    #expect((3..<4).contains(decisions.last?.time ?? 0), "\(decisions)")
  }

  /// It was shaken in the new orientation for 0.4 s before the gap.
  @Test func `shaking before a gap decides nothing after it`() {
    var classifier = OrientationClassifier()
    var decision: Double?
    for (time, a) in Self.shakenSamples {
      if classifier.add(a, at: Instant(seconds: time < 3.4 ? time : time + 2)), time > 3.4 {
        decision = decision ?? time - 3.4
      }
    }
    #expect(decision.map { (0.5..<1).contains($0) } == true, "\(decision ?? 0)")
  }

  /// The offset is an array: Swift 6.2 aborts if a parameter of a test needs the alignment of a vector.
  private static let errors: [(gain: Double, offset: [Double])] =
    [(1.05, [0, 0, 0]), (0.95, [0, 0, 0])]
    + [1.0, -1].flatMap { off in [(1, [off, 0, 0]), (1, [0, off, 0]), (1, [0, 0, off])] }

  /// Otherwise it would be read 17 times a second for ever.
  @Test(arguments: errors)
  func `an inaccurate sensor at rest is read rarely`(_ error: (gain: Double, offset: [Double])) {
    var classifier = OrientationClassifier()
    var motion = Motion(rate: 17, tilt: 20, seed: 4)
    motion.rest(8)
    for (time, a, _) in motion.samples {
      let measured = Acceleration(
        x: a.x * error.gain + error.offset[0], y: a.y * error.gain + error.offset[1],
        z: a.z * error.gain + error.offset[2])
      _ = classifier.add(measured, at: Instant(seconds: time))
    }
    #expect(
      classifier.uprightOrientation == .normal && !classifier.needsFollowing(at: Instant(seconds: motion.now))
    )
  }

  /// Samples between two reads are averaged, and the mean hides the shaking.
  @Test func `shaking hidden by the mean delays the decision`() {
    var (quiet, shaken) = (OrientationClassifier(), OrientationClassifier())
    let magnitudes = MotionSample.Magnitudes(mean: 10, meanSquare: 105)
    var decided: (quiet: Double?, shaken: Double?)
    for number in 0..<120 {
      let time = Double(number) * 0.06
      let (right, up) = Motion.unit(number < 50 ? 0 : 70)
      let a = Acceleration(x: 9.81 * right, y: -9.81 * up, z: 0)
      if quiet.add(MotionSample(a), at: Instant(seconds: time)), quiet.uprightOrientation == .leftUp {
        decided.quiet = time
      }
      let sample = MotionSample(a, magnitudes: magnitudes)
      if shaken.add(sample, at: Instant(seconds: time)), shaken.uprightOrientation == .leftUp {
        decided.shaken = time
      }
    }
    #expect((decided.shaken ?? 0) > (decided.quiet ?? .infinity) + 0.05, "\(decided)")
  }
}
