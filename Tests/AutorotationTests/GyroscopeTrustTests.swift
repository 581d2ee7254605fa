// SPDX-License-Identifier: MIT

import Autorotation
import Peers
import Testing

/// When the classifier uses a gyroscope, when it does without, and when it calls it faulty.
struct GyroscopeTrustTests {
  /// A device that is rotated to and fro by a quiet hand; `measure` converts the true rate to the reported one.
  private static func rotated(
    times: Int = 12, in seconds: Double = 0.6, shake: ((Double) -> (x: Double, y: Double, z: Double))? = nil,
    measure: (AngularRate) -> AngularRate = { $0 }
  ) -> OrientationClassifier {
    var motion = Motion(rate: 50, tilt: 25, seed: 5)
    motion.gyroscope = Gyroscope()
    if let shake { motion.shake = shake }
    motion.rest(3)
    for number in 0..<times {
      motion.move(to: number % 2 == 0 ? 90 : 0, tilt: number % 2 == 0 ? 40 : 15, in: seconds)
      motion.rest(2.5)
    }
    var classifier = OrientationClassifier()
    for (time, sample) in motion.measured {
      let measured = MotionSample(sample.acceleration, rate: sample.rate.map(measure))
      _ = classifier.add(measured, at: Instant(seconds: time))
    }
    return classifier
  }

  @Test func `a good gyroscope is used after it proved itself`() {
    #expect(Self.rotated(times: 0).gyroscopeUse == .unproven)
    #expect(Self.rotated(times: 2).gyroscopeUse == .used)
  }

  @Test func `without rates it is absent`() {
    var classifier = OrientationClassifier()
    _ = classifier.add(MotionSample(Acceleration(x: 0, y: -9.8, z: 0)), at: Instant(seconds: 1))
    #expect(classifier.gyroscopeUse == .absent)
  }

  /// Each step of a brisk walk lifts the device and tilts it at the same moment, and lets both go again.
  @Test func `a good gyroscope stays in use in a hand that walks`() {
    let step = 0.56
    var motion = Motion(rate: 50, tilt: 25, seed: 5)
    motion.gyroscope = Gyroscope()
    var rotations: [Double] = []
    for number in 0..<12 {
      for _ in 0..<4 {
        motion.move(to: motion.angle, tilt: 31, in: step / 2)
        motion.move(to: motion.angle, tilt: 25, in: step / 2)
      }
      rotations.append(motion.now)
      motion.move(to: number % 2 == 0 ? 90 : 0, in: step)
    }
    var (classifier, uses) = (OrientationClassifier(), [OrientationClassifier.GyroscopeUse]())
    for (time, sample) in motion.measured {
      if uses.count < rotations.count, time >= rotations[uses.count] { uses.append(classifier.gyroscopeUse) }
      let lifted = (1 + 0.6 * sine(2 * .pi * time / step)) * sample.acceleration
      _ = classifier.add(MotionSample(lifted, rate: sample.rate), at: Instant(seconds: time))
    }
    #expect(uses.dropFirst(2).allSatisfy { $0 == .used }, "\(uses)")
  }

  static let wrong: [(name: String, measure: @Sendable (AngularRate) -> AngularRate)] = [
    ("dead", { _ in AngularRate(x: 0, y: 0, z: 0) }),
    ("reversed", { -$0 }),
    ("doubled", { 2 * $0 }),
    ("in another frame", { AngularRate(x: $0.y, y: $0.z, z: $0.x) }),
  ]

  @Test(arguments: wrong.indices)
  func `one that reports other rotations is faulty`(_ index: Int) {
    let classifier = Self.rotated(measure: Self.wrong[index].measure)
    #expect(
      classifier.hasWrongGyroscope && classifier.gyroscopeUse == .contradicted, "\(Self.wrong[index].name)")
  }

  @Test func `it is not used after the first rotation that it misses`() {
    let classifier = Self.rotated(times: 1, measure: { _ in AngularRate(x: 0, y: 0, z: 0) })
    #expect(classifier.gyroscopeUse == .contradicted)
  }

  @Test func `the third rotation that it misses makes it faulty`() {
    let isFaulty = [2, 3].map { times in
      Self.rotated(times: times, measure: { _ in AngularRate(x: 0, y: 0, z: 0) }).hasWrongGyroscope
    }
    #expect(isFaulty == [false, true])
  }

  /// It misses all but the third of five rotations, each with its rest of 155 samples.
  @Test func `one right rotation makes up for one wrong one`() {
    var number = -150
    let classifier = Self.rotated(
      times: 5,
      measure: { rate in
        number += 1
        return number / 155 == 2 ? rate : AngularRate(x: 0, y: 0, z: 0)
      })
    #expect(classifier.hasWrongGyroscope)
  }

  /// Only equal rates in a row are the end of its range, where its rotations are not compared.
  @Test func `one whose largest rate recurs now and then is faulty`() {
    let rates = [3.0, 0, -3, 0]
    var number = 0
    let classifier = Self.rotated(measure: { _ in
      number += 1
      return AngularRate(x: 0, y: 0, z: rates[number % rates.count])
    })
    #expect(classifier.hasWrongGyroscope)
  }

  /// The end of every range that is used is further away.
  @Test func `one that always reports the same slow rate is faulty`() {
    let classifier = Self.rotated(measure: { _ in AngularRate(x: 0, y: 0, z: 1.5) })
    #expect(classifier.hasWrongGyroscope)
  }

  /// They occur at rest; all rotations after it are quicker, and compared.
  @Test func `two equal rates below the largest are not the end`() {
    var number = 0
    let classifier = Self.rotated(
      times: 3,
      measure: { rate in
        number += 1
        return [10, 11].contains(number)
          ? AngularRate(x: 0, y: 0, z: 2.5) : -rate
      })
    #expect(classifier.hasWrongGyroscope)
  }

  @Test func `one wrong sample after a gap is soon forgotten`() {
    var classifier = Self.rotated(times: 4)
    for (number, angle) in [60.0, 0, 0, 0].enumerated() {
      let (right, up) = Motion.unit(angle)
      let sample = MotionSample(
        Acceleration(x: 9.8 * right, y: -9.8 * up, z: 0), rate: AngularRate(x: 0, y: 0, z: 0))
      _ = classifier.add(sample, at: Instant(seconds: 60 + 0.02 * Double(number)))
    }
    #expect(classifier.gyroscopeUse == .used && classifier.uprightOrientation == .normal)
    #expect(classifier.tendency == nil)
  }

  /// A dead gyroscope misses a quarter turn after that time at rest. Half of gravity is measured in the wrong unit.
  @Test(arguments: [(0.7, 1, false), (1.1, 1, true), (1.1, 0.5, false)])
  func `only rotations from rest to rest are compared`(_ rest: Double, _ scale: Double, _ isCompared: Bool) {
    var classifier = OrientationClassifier()
    for number in 0..<200 {
      let time = 0.02 * Double(number)
      let (right, up) = Motion.unit(time < rest ? 0 : 90)
      let a = scale * Acceleration(x: Motion.g * right, y: -Motion.g * up, z: 0)
      let sample = MotionSample(a, rate: AngularRate(x: 0, y: 0, z: 0))
      _ = classifier.add(sample, at: Instant(seconds: time))
    }
    #expect((classifier.gyroscopeUse == .contradicted) == isCompared)
  }

  /// What was measured before a gap predicts nothing after it.
  @Test(arguments: [46.0, 90])
  func `a rotation during a gap is no contradiction`(_ angle: Double) {
    var (before, after) = (Motion(rate: 50), Motion(rate: 50, from: angle))
    (before.noise, after.noise) = (0, 0)
    (before.gyroscope, after.gyroscope) = (Gyroscope(), Gyroscope())
    before.rest(3)
    after.pause(5)
    after.move(to: angle + 15, in: 0.2)
    after.rest(2)
    var classifier = OrientationClassifier()
    for (time, sample) in before.measured + after.measured {
      _ = classifier.add(sample, at: Instant(seconds: time))
    }
    #expect(classifier.gyroscopeUse != .contradicted)
  }

  @Test func `a rotation during a gap keeps a gyroscope in use`() {
    var classifier = Self.rotated(times: 4)
    for number in 0..<50 {
      let sample = MotionSample(
        Acceleration(x: Motion.g, y: 0, z: 0), rate: AngularRate(x: 0, y: 0, z: 0))
      _ = classifier.add(sample, at: Instant(seconds: 60 + 0.02 * Double(number)))
    }
    #expect(classifier.gyroscopeUse == .used && classifier.uprightOrientation == .leftUp)
  }

  /// The samples of a rotation end in the middle of it.
  @Test func `a gap during a rotation keeps a gyroscope in use`() {
    var motion = Motion(rate: 50, tilt: 25, seed: 5)
    motion.gyroscope = Gyroscope()
    motion.rest(3)
    for number in 0..<3 {
      motion.move(to: number % 2 == 0 ? 90 : 0, in: 0.6)
      if number < 2 { motion.rest(2.5) }
    }
    motion.pause(2)
    motion.rest(1)
    var classifier = OrientationClassifier()
    for (time, sample) in motion.measured { _ = classifier.add(sample, at: Instant(seconds: time)) }
    #expect(classifier.gyroscopeUse == .used)
  }

  /// Steps move the accelerometer as much as a rotation does.
  @Test func `walking does not make a good gyroscope faulty`() {
    let steps: (Double) -> (x: Double, y: Double, z: Double) = { time in
      (2 * sine(time * .pi * 2), 5 * sine(time * .pi * 4), 2 * sine(time * 9))
    }
    let classifier = Self.rotated(times: 60, shake: steps)
    #expect(!classifier.hasWrongGyroscope)
    #expect(classifier.gyroscopeUse != .contradicted)
  }

  /// A rotation is contradicted by an error of more than 0.7 times the movement.
  @Test(arguments: [(1.6, false), (1.8, true)])
  func `a rotation that is half right is no contradiction`(_ gain: Double, _ isContradicted: Bool) {
    let classifier = Self.rotated(times: 1, measure: { gain * $0 })
    #expect((classifier.gyroscopeUse == .contradicted) == isContradicted)
  }

  @Test(arguments: [0.8, 1.3])
  func `a wrong gain is learned between rests`(_ gain: Double) {
    let classifier = Self.rotated(measure: { gain * $0 })
    #expect(classifier.gyroscopeUse == .used && !classifier.hasWrongGyroscope)
  }

  /// A gyroscope that reaches the end of its range reports less than the true rate: in the second case less than half.
  @Test(arguments: [(4.363, 0.4), (2.182, 0.25)])
  func `one with a short range is not faulty`(_ end: Double, _ seconds: Double) {
    let clipped: (AngularRate) -> AngularRate = {
      AngularRate(x: max(-end, min(end, $0.x)), y: max(-end, min(end, $0.y)), z: max(-end, min(end, $0.z)))
    }
    let classifier = Self.rotated(times: 20, in: seconds, measure: clipped)
    #expect(!classifier.hasWrongGyroscope && classifier.gyroscopeUse != .contradicted)
  }

  /// A swinging arm: 40° to each side, 0.9 times a second.
  @Test func `a carried device is detected`() {
    var classifier = Self.rotated(times: 4)
    #expect(classifier.gyroscopeUse == .used)
    for number in 0..<400 {
      let time = Double(number) / 50
      let phase = 2 * .pi * 0.9 * time
      let (right, up) = Motion.unit(40 * sine(phase))
      let rate = AngularRate(x: 0, y: 0, z: -0.7 * 2 * .pi * 0.9 * sine(phase + .pi / 2))
      let step = 3 * sine(2 * phase)
      let a = Acceleration(x: 9.8 * right, y: -9.8 * up - step, z: step)
      _ = classifier.add(MotionSample(a, rate: rate), at: Instant(seconds: 60 + time))
    }
    #expect(classifier.gyroscopeUse == .carried || classifier.gyroscopeUse == .unproven)
    #expect(classifier.isCarried && !classifier.hasWrongGyroscope)
  }
}
