// SPDX-License-Identifier: MIT

import Autorotation
import Peers
import Testing

/// The classifier and its peers on synthetic handling, scored as on recorded motion.
struct HandlingTests {
  /// Six minutes in each of the surroundings.
  private static func handlings(rate: Double) -> [Motion] {
    Handling.Surroundings.allCases.enumerated().flatMap { number, surroundings in
      (0..<3).map { seed in
        Handling(surroundings, seconds: 120, rate: rate, seed: UInt64(100 * number + seed)).motion
      }
    }
  }

  /// Only read, once it is made.
  private nonisolated(unsafe) static let at50Hz = handlings(rate: 50)
  /// The classifier's score with each caution, on `at50Hz`.
  private static let scores = Dictionary(
    uniqueKeysWithValues: [4, 1, 0.5, 0.25, 0.12].map { caution in
      (caution, score(at50Hz, OrientationClassifier(caution: caution)))
    })

  private static func score(_ motions: [Motion], _ rule: any OrientationRule) -> MotionScore {
    var score = MotionScore()
    for motion in motions { score.add(motion, classifiedBy: rule) }
    return score
  }

  /// Fewer errors of each kind than the rule of other desktops, and no rotation missed.
  @Test(arguments: [10.0, 25, 50])
  func `the classifier beats the sensor proxy`(_ rate: Double) {
    let motions = rate == 50 ? Self.at50Hz : Self.handlings(rate: rate)
    let ours = Self.score(motions, OrientationClassifier())
    let theirs = Self.score(motions, PeerRule.sensorProxy.makeRule())
    #expect(ours.delays.count > 150)
    #expect(ours.missed == 0)
    #expect(ours.spurious * 3 < theirs.spurious, "\(ours.spurious) and \(theirs.spurious)")
    #expect(ours.medianDelay <= 0.2, "\(ours.medianDelay) s")
    #expect(ours.lateDelay <= 0.6, "\(ours.lateDelay) s")
    #expect(ours.lateDelay < theirs.lateDelay)
  }

  /// For each peer there is a caution with which the classifier errs less and is no later.
  @Test(arguments: PeerRule.allCases)
  func `each peer is beaten at its own delay`(_ rule: PeerRule) throws {
    let theirs = Self.score(Self.at50Hz, rule.makeRule())
    let beaten = try [1, 0.5, 0.25, 0.12].map { try #require(Self.scores[$0]) }.contains { ours in
      ours.spurious < theirs.spurious && ours.medianDelay <= theirs.medianDelay
        && ours.missed <= theirs.missed
    }
    #expect(beaten, "\(theirs.spurious) wrong rotations, \(theirs.medianDelay) s")
  }

  @Test func `less caution makes rotations sooner and causes more errors`() throws {
    let scores = try [4, 1, 0.25].map { try #require(Self.scores[$0]) }
    for (quiet, quick) in zip(scores, scores.dropFirst()) {
      #expect(quick.medianDelay < quiet.medianDelay)
      #expect(quick.spurious > quiet.spurious)
    }
  }

  // MARK: Synthetic motion

  /// Of |a| − g in m/s², as in the comment of `Handling`.
  private static let shaking: [(Handling.Surroundings, rms: ClosedRange<Double>, peak: ClosedRange<Double>)] =
    [
      (.still, 0...0.1, 0...0.3), (.walking, 0.25...0.75, 0.5...2.5), (.taps, 0.4...1, 2.5...6),
      (.vehicle, 1...1.45, 3...5),
    ]

  @Test(arguments: shaking)
  func `simulated vibration is as strong as measured vibration`(
    _ surroundings: Handling.Surroundings, _ rms: ClosedRange<Double>, _ peak: ClosedRange<Double>
  ) {
    for seed in UInt64(0)..<5 {
      let motion = Handling.resting(surroundings, seconds: 120, seed: seed)
      let off = motion.samples.map { abs($0.a.magnitude - Motion.g) }.sorted()
      let mean = off.reduce(0) { $0 + $1 * $1 } / Double(off.count)
      #expect(rms.contains(mean.squareRoot()), "\(mean.squareRoot())")
      #expect(peak.contains(off[off.count * 99 / 100]), "\(off[off.count * 99 / 100])")
    }
  }

  // MARK: The score

  private static var oneRotation: Motion {
    var motion = Motion(rate: 50)
    motion.rest(3)
    motion.move(to: 90, in: 0.5)
    motion.rest(3)
    return motion
  }

  /// Returns scripted orientations.
  private struct Script: OrientationRule {
    var uprightOrientation = DeviceOrientation.unknown
    var words: [(time: Double, DeviceOrientation)]

    mutating func add(_ sample: MotionSample, at now: Instant) -> Bool {
      guard let next = words.first, now >= Instant(seconds: next.time) else { return false }
      words.removeFirst()
      uprightOrientation = next.1
      return true
    }
  }

  private static func score(saying words: [(Double, DeviceOrientation)]) -> MotionScore {
    score([oneRotation], Script(words: words))
  }

  @Test func `a perfect answer has no errors`() {
    let score = Self.score(saying: [(0, .normal), (3.3, .leftUp)])
    #expect(score.spurious == 0 && score.missed == 0 && abs(score.medianDelay) < 0.05)
  }

  @Test func `a rotation to a false orientation is spurious`() {
    let score = Self.score(saying: [(0, .normal), (1, .rightUp), (1.5, .normal), (3.3, .leftUp)])
    #expect(score.spurious == 1 && score.missed == 0)
  }

  @Test func `a rotation never shown is missed`() {
    #expect(Self.score(saying: [(0, .normal)]).missed == 1)
  }

  @Test func `delay is counted from the true rotation`() {
    let score = Self.score(saying: [(0, .normal), (5, .leftUp)])
    #expect(score.delays.count == 1 && (1.6...1.8).contains(score.medianDelay))
  }

  @Test func `the same seed makes the same motion`() {
    let motions = (0..<2).map { _ in Handling(.walking, seconds: 20, rate: 25, seed: 5).motion }
    #expect(motions[0].samples.map(\.a) == motions[1].samples.map(\.a))
    #expect(
      Handling(.walking, seconds: 20, rate: 25, seed: 6).motion.samples.map(\.a)
        != motions[0].samples.map(\.a))
  }
}
