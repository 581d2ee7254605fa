// SPDX-License-Identifier: MIT

import Autorotation
import Peers
import Testing

/// The classifier with a correct and with a wrong gyroscope, on synthetic handling.
struct GyroscopeTests {
  /// Two minutes in each of the surroundings. The gyroscope's noise makes the rest of each slightly different.
  private static func score(_ fault: Gyroscope.Fault?, rate: Double) -> MotionScore {
    var score = MotionScore()
    for (number, surroundings) in Handling.Surroundings.allCases.enumerated() {
      let handling = Handling(
        surroundings, seconds: 120, rate: rate, seed: UInt64(number), gyroscope: fault.map { Gyroscope($0) })
      score.add(handling.motion, classifiedBy: OrientationClassifier())
    }
    return score
  }

  private static let without = score(nil, rate: 25)

  @Test(arguments: [10.0, 25, 50])
  func `a gyroscope makes rotations sooner without more errors`(_ rate: Double) {
    let with = Self.score(Gyroscope.Fault.none, rate: rate)
    let without = Self.score(nil, rate: rate)
    #expect(with.delays.count > 50 && with.missed == 0)
    #expect(with.medianDelay < without.medianDelay, "\(with.medianDelay), \(without.medianDelay) s")
    #expect(with.lateDelay <= without.lateDelay, "\(with.lateDelay), \(without.lateDelay) s")
    #expect(with.spurious <= without.spurious, "\(with.spurious), \(without.spurious)")
  }

  /// Hardly worse than without it: two more wrong rotations and one sample at most.
  @Test(arguments: Gyroscope.Fault.allCases)
  func `a wrong gyroscope is not used`(_ fault: Gyroscope.Fault) {
    let (with, without) = (Self.score(fault, rate: 25), Self.without)
    #expect(with.missed == 0)
    #expect(with.spurious <= without.spurious + 2, "\(with.spurious), \(without.spurious)")
    #expect(
      with.medianDelay <= 1.1 * without.medianDelay + 0.04, "\(with.medianDelay), \(without.medianDelay) s")
    #expect(with.lateDelay <= 1.1 * without.lateDelay + 0.04, "\(with.lateDelay), \(without.lateDelay) s")
  }

  private static func reports(of fault: Gyroscope.Fault, sensors: Int = 1) -> [Message] {
    var machine = Autorotator()
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080)
    _ = machine.handle(.outputsChanged([panel]), at: Instant(seconds: 0))
    let handling = Handling(.still, seconds: 300, rate: 50, seed: 3, gyroscope: Gyroscope(fault))
    return (0..<sensors).flatMap { number in
      let start = 400 * Double(number)
      _ = machine.handle(.sensorFound(name: "test"), at: Instant(seconds: start))
      return handling.motion.measured.flatMap { time, sample in
        machine.handle(.motion(sample), at: Instant(seconds: start + time)).compactMap {
          if case .report(let message, _) = $0, message.code == .sensorGyroscope { message } else { nil }
        }
      }
    }
  }

  @Test func `each sensor whose gyroscope is wrong is reported`() {
    #expect(Self.reports(of: .zeros, sensors: 2).count == 2)
  }

  @Test(arguments: [Gyroscope.Fault.zeros, .reversed, .exchanged, .doubled])
  func `a wrong gyroscope is reported once`(_ fault: Gyroscope.Fault) {
    #expect(Self.reports(of: fault).map(\.code) == [.sensorGyroscope])
  }

  @Test(arguments: [Gyroscope.Fault.none, .biased])
  func `a correctable gyroscope is not reported`(_ fault: Gyroscope.Fault) {
    #expect(Self.reports(of: fault).isEmpty)
  }

  /// Seconds since the last sample with a rate: at 50 Hz one may lack it, at 25 Hz none.
  @Test(arguments: [(0.02, true), (0.03, true), (0.04, false)])
  func `a rate is used for one more sample at most`(_ age: Double, _ isUsed: Bool) {
    var classifier = OrientationClassifier()
    let upright = Acceleration(x: 0, y: -9.81, z: 0)
    let rate = AngularRate(x: 0, y: 0, z: 0.1)
    _ = classifier.add(MotionSample(upright, rate: rate), at: Instant(seconds: 1))
    _ = classifier.add(upright, at: Instant(seconds: 1 + age))
    #expect(classifier.hasRate == isUsed)
  }

  /// The widest range is 35 rad/s on each axis.
  @Test(arguments: [(AngularRate(x: 35, y: 35, z: 35), true), (AngularRate(x: 0, y: 0, z: 62), false)])
  func `a rate that no gyroscope can measure is not used`(_ rate: AngularRate, _ isUsed: Bool) {
    var classifier = OrientationClassifier()
    let upright = Acceleration(x: 0, y: -9.81, z: 0)
    _ = classifier.add(MotionSample(upright, rate: rate), at: Instant(seconds: 1))
    #expect(classifier.hasRate == isUsed)
  }

  /// Its last rate is used for a moment only.
  @Test func `a gyroscope that stops leaves the accelerometer`() {
    var classifier = OrientationClassifier()
    let upright = Acceleration(x: 0, y: -9.81, z: 0)
    let rotating = AngularRate(x: 0, y: 0, z: -3)
    for sample in 0..<50 { _ = classifier.add(upright, at: Instant(seconds: Double(sample) / 50)) }
    let hasChanged = classifier.add(MotionSample(upright, rate: rotating), at: Instant(seconds: 1))
    #expect(!hasChanged)
    for sample in 51..<150 {
      let hasChanged = classifier.add(upright, at: Instant(seconds: Double(sample) / 50))
      #expect(!hasChanged && classifier.uprightOrientation == .normal)
    }
  }
}
