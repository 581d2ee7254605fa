// SPDX-License-Identifier: MIT

import Autorotation
import Peers
import Testing

/// The judge with a gyroscope, and with one that is wrong, on synthetic handling.
struct GyroscopeTests {
  /// Two minutes in each of the surroundings. The noise of the gyroscope makes the rest of each a little different.
  private static func score(_ fault: Gyroscope.Fault?, rate: Double) -> MotionScore {
    var score = MotionScore()
    for (number, surroundings) in Handling.Surroundings.allCases.enumerated() {
      let handling = Handling(
        surroundings, seconds: 120, rate: rate, seed: UInt64(number), gyroscope: fault.map { Gyroscope($0) })
      score.add(handling.motion, judgedBy: OrientationClassifier())
    }
    return score
  }

  private static let without = score(nil, rate: 25)

  @Test(arguments: [10.0, 25, 50])
  func turnsAreShownSoonerAndNoMoreOfThemWrong(_ rate: Double) {
    let with = Self.score(Gyroscope.Fault.none, rate: rate)
    let without = Self.score(nil, rate: rate)
    #expect(with.delays.count > 50 && with.missed == 0)
    #expect(with.medianDelay < without.medianDelay, "\(with.medianDelay), \(without.medianDelay) s")
    #expect(with.lateDelay <= without.lateDelay, "\(with.lateDelay), \(without.lateDelay) s")
    #expect(with.spurious <= without.spurious, "\(with.spurious), \(without.spurious)")
  }

  /// Never worse than without it, but for a turn or two and a sample.
  @Test(arguments: Gyroscope.Fault.allCases)
  func whatIsWrongIsJudgedWithout(_ fault: Gyroscope.Fault) {
    let (with, without) = (Self.score(fault, rate: 25), Self.without)
    #expect(with.missed == 0)
    #expect(with.spurious <= without.spurious + 2, "\(with.spurious), \(without.spurious)")
    #expect(
      with.medianDelay <= 1.1 * without.medianDelay + 0.04, "\(with.medianDelay), \(without.medianDelay) s")
    #expect(with.lateDelay <= 1.1 * without.lateDelay + 0.04, "\(with.lateDelay), \(without.lateDelay) s")
  }

  private static func reports(of fault: Gyroscope.Fault) -> [Message] {
    var machine = Autorotator()
    _ = machine.handle(.sensorFound(name: "test"), at: Instant(seconds: 0))
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080)
    _ = machine.handle(.outputsChanged([panel]), at: Instant(seconds: 0))
    let handling = Handling(.still, seconds: 300, rate: 50, seed: 3, gyroscope: Gyroscope(fault))
    return handling.motion.measured.flatMap { time, sample in
      machine.handle(.motion(sample), at: Instant(seconds: time)).compactMap {
        if case .report(let message, _) = $0, message.code == .sensorGyroscope { message } else { nil }
      }
    }
  }

  @Test(arguments: [Gyroscope.Fault.zeros, .reversed, .exchanged, .doubled])
  func whatIsWrongIsToldOnce(_ fault: Gyroscope.Fault) {
    #expect(Self.reports(of: fault).map(\.code) == [.sensorGyroscope])
  }

  @Test(arguments: [Gyroscope.Fault.none, .biased])
  func whatIsRightOrCanBeCorrectedIsNotTold(_ fault: Gyroscope.Fault) {
    #expect(Self.reports(of: fault).isEmpty)
  }

  /// Its last rate is believed for a moment only.
  @Test func aGyroscopeThatGoesAloneLeavesTheAccelerometer() {
    var judge = OrientationClassifier()
    let upright = Acceleration(x: 0, y: -9.81, z: 0)
    let turning = AngularRate(x: 0, y: 0, z: -3)
    for sample in 0..<50 { _ = judge.add(upright, at: Instant(seconds: Double(sample) / 50)) }
    let hasTurned = judge.add(MotionSample(upright, rate: turning), at: Instant(seconds: 1))
    #expect(!hasTurned)
    for sample in 51..<150 {
      let hasTurned = judge.add(upright, at: Instant(seconds: Double(sample) / 50))
      #expect(!hasTurned && judge.held == .normal)
    }
  }
}
