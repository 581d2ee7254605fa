// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct OrientationClassifierTests {
  static let rates = [5.0, 10, 15, 25, 50, 100]
  static let uprights: [(angle: Double, DeviceOrientation)] = [
    (0, .normal), (90, .leftUp), (180, .bottomUp), (270, .rightUp),
  ]

  // MARK: Rotations

  @Test(arguments: rates)
  func `a quiet quarter rotation is decided soon`(_ rate: Double) {
    for (from, _) in Self.uprights {
      for (direction, slew) in [(90.0, 0.4), (90, 0.8), (-90, 0.6), (-90, 1.5)] {
        var motion = Motion(rate: rate, from: from, seed: UInt64(from + slew * 10))
        motion.rest(1)
        let diagonal = motion.time(ofPassing: 45, of: 90, in: slew)
        motion.move(to: from + direction, in: slew)
        motion.rest(1)
        let rotations = Classification(motion).changes
        #expect(rotations.count == 2)
        let delay = rotations[rotations.count - 1].time - diagonal
        #expect(delay >= 0 && delay <= 0.35 + (rate < 10 ? 1 / rate : 0), "\(delay) s at \(rate) Hz")
      }
    }
  }

  @Test(arguments: rates)
  func `tilting there and back does not rotate`(_ rate: Double) {
    for peak in [30.0, 40, 48, -48] {
      var motion = Motion(rate: rate, seed: UInt64(abs(peak)))
      motion.rest(1)
      for _ in 0..<20 {
        motion.move(to: peak, in: 0.6)
        motion.rest(0.7)
        motion.move(to: 0, in: 0.5)
      }
      #expect(Classification(motion).words == [.normal])
    }
  }

  @Test(arguments: rates)
  func `a rotation by 180 degrees ends at its target`(_ rate: Double) {
    for slew in [0.3, 0.6, 1.2, 3] {
      var motion = Motion(rate: rate, from: 90, seed: 7)
      motion.rest(1)
      motion.move(to: 270, in: slew)
      motion.rest(1)
      #expect(Classification(motion).words.last == .rightUp)
    }
  }

  /// The device may stay like that; near the threshold a decision takes longer, but not for ever.
  @Test(arguments: rates)
  func `a rest at sixty degrees is followed`(_ rate: Double) {
    for angle in [60.0, 62, 66, -60] {
      var motion = Motion(rate: rate, tilt: 20, seed: UInt64(abs(angle)))
      motion.rest(1)
      motion.move(to: angle, in: 0.6)
      let arrived = motion.now
      motion.rest(2)
      let rotations = Classification(motion).changes
      #expect(rotations.map(\.to) == [.normal, angle > 0 ? .leftUp : .rightUp])
      #expect(rotations[rotations.count - 1].time - arrived < 0.7)
    }
  }

  @Test(arguments: [25.0, 50, 100])
  func `a quick half rotation skips the quarter between`(_ rate: Double) {
    for slew in [0.4, 0.6, 0.8] {
      for direction in [180.0, -180] {
        var motion = Motion(rate: rate, tilt: 20, seed: 21)
        motion.arm = 0.13
        motion.rest(1)
        motion.move(to: direction, in: slew)
        motion.rest(1)
        #expect(Classification(motion).words == [.normal, .bottomUp], "\(slew) s")
      }
    }
  }

  /// A hand that flings the device causes several g for a moment; the classifier must not wait long after it.
  @Test func `the decision after a quick swing is not delayed`() {
    var motion = Motion(rate: 50, tilt: 20, seed: 22)
    motion.arm = 0.3
    motion.rest(1)
    motion.move(to: 90, in: 0.3)
    let arrived = motion.now
    motion.rest(1)
    let rotations = Classification(motion).changes
    #expect(rotations.map(\.to) == [.normal, .leftUp])
    #expect(rotations[rotations.count - 1].time - arrived < 0.4)
  }

  @Test(arguments: rates)
  func `one sample decides nothing`(_ rate: Double) {
    var classifier = OrientationClassifier()
    let sideways = Acceleration(x: 9.81, y: 0, z: 0)
    let hasChanged = classifier.add(sideways, at: Instant(seconds: 5))
    #expect(!hasChanged && classifier.uprightOrientation == .unknown)
    var time = 5.0
    while classifier.uprightOrientation == .unknown, time < 7 {
      time += 1 / rate
      _ = classifier.add(sideways, at: Instant(seconds: time))
    }
    #expect(classifier.uprightOrientation == .leftUp)
    let hasChangedAfterGap = classifier.add(
      Acceleration(x: 0, y: -9.81, z: 0), at: Instant(seconds: time + 60))
    #expect(!hasChangedAfterGap && classifier.uprightOrientation == .leftUp)
  }

  @Test func `a short tilt does not rotate`() {
    for rate in [25.0, 50, 100] {
      var motion = Motion(rate: rate)
      motion.rest(1)
      for _ in 0..<10 {
        motion.move(to: 62, in: 0.15)
        motion.move(to: 0, in: 0.15)
        motion.rest(0.5)
      }
      #expect(Classification(motion).words == [.normal])
    }
  }

  // MARK: Shaking

  @Test(arguments: [10.0, 25, 50, 100])
  func `bumps do not rotate`(_ rate: Double) {
    var motion = Motion(rate: rate, seed: 3)
    motion.shake = { time in
      let phase = time.truncatingRemainder(dividingBy: 1)
      guard phase < 0.12 else { return (0, 0, 0) }
      return (14, 6, -8)
    }
    motion.rest(30)
    #expect(Classification(motion).words == [.normal])
  }

  @Test(arguments: [10.0, 25, 50, 100])
  func `walking does not rotate but the device does`(_ rate: Double) {
    var motion = Motion(rate: rate, from: 12, seed: 4)
    motion.noise = 0.4
    motion.shake = { time in (1.5 * sine(time * .pi * 2), 3 * sine(time * .pi * 4), 1.5 * sine(time * 9)) }
    motion.rest(60)
    let turnsAt = motion.now
    motion.move(to: 90, in: 0.8)
    motion.rest(10)
    let rotations = Classification(motion).changes
    #expect(rotations.map(\.to) == [.normal, .leftUp])
    #expect(rotations[rotations.count - 1].time - turnsAt < 1.7)
  }

  // MARK: Flat

  @Test(arguments: rates)
  func `lying flat keeps the orientation and reports the face`(_ rate: Double) {
    for (tilt, face) in [(88.0, DeviceOrientation.faceUp), (-88, .faceDown)] {
      var motion = Motion(rate: rate, from: 90)
      motion.rest(1)
      motion.move(to: 90, tilt: tilt, in: 0.7)
      motion.move(to: 270, in: 2)
      motion.rest(1)
      let flat = Classification(motion)
      #expect(flat.words == [.leftUp])
      #expect(flat.classifier.orientation == face)
      motion.move(to: 270, tilt: 10, in: 0.7)
      motion.rest(1)
      #expect(Classification(motion).classifier.orientation == .rightUp)
    }
  }

  /// In doubt, between the limits at 59 and 63 degrees, it is flat.
  @Test(arguments: [88.0, 61])
  func `starting flat reports only the face`(_ tilt: Double) {
    var motion = Motion(rate: 25, tilt: tilt)
    motion.rest(2)
    let classifier = Classification(motion).classifier
    #expect(classifier.orientation == .faceUp && classifier.uprightOrientation == .unknown)
  }

  @Test func `nothing is reported before the first sample`() {
    let classifier = OrientationClassifier()
    #expect(classifier.orientation == .unknown && classifier.uprightOrientation == .unknown)
    #expect(classifier.needsFollowing(at: Instant(nanoseconds: 0)))
  }

  // MARK: Start, gaps and rest

  @Test(arguments: rates)
  func `the first decision is quick`(_ rate: Double) {
    for (angle, orientation) in Self.uprights {
      var motion = Motion(rate: rate, from: angle)
      motion.rest(2)
      let rotations = Classification(motion).changes
      #expect(rotations.map(\.to) == [orientation])
      #expect(rotations[0].time <= max(0.1, 1 / rate))
    }
  }

  @Test func `a gap restarts the filters and keeps the orientation`() {
    var motion = Motion(rate: 50)
    motion.rest(1)
    motion.pause(60)
    let wake = motion.now
    motion.move(to: 90, in: 0.001)
    let after = Classification(motion)
    #expect(after.words == [.normal], "one sample after a gap decides nothing")
    motion.rest(1)
    let rotations = Classification(motion).changes
    #expect(rotations.map(\.to) == [.normal, .leftUp])
    #expect(rotations[1].time - wake < 0.15)
  }

  private static func classifier(_ samples: [(time: Double, a: Acceleration)]) -> OrientationClassifier {
    samples.reduce(into: OrientationClassifier()) { classifier, sample in
      _ = classifier.add(sample.a, at: Instant(seconds: sample.time))
    }
  }

  /// A device at rest at an angle, degrees clockwise from normal.
  private static func rest(at angle: Double, from time: Double) -> [(time: Double, a: Acceleration)] {
    let (right, up) = Motion.unit(angle)
    return (0..<50).map { (time + 0.02 * Double($0), Acceleration(x: 9.81 * right, y: -9.81 * up, z: 0)) }
  }

  /// Noise, speed, and evidence from before a gap have no effect after it.
  @Test(arguments: [46.0, 50, 54, 58, 62, 75, 90, -50, -62, -90])
  func `evidence before a gap is forgotten`(_ angle: Double) {
    var quiet = Motion(rate: 50)
    quiet.rest(1)
    var shaken = quiet
    shaken.shake = { time in (6 * sine(time * 40), 6 * sine(time * 33), 0) }
    shaken.rest(1)
    var swung = quiet
    swung.move(to: 120, in: 0.35)
    // As much of the swing as is not yet decided.
    for (before, count) in [(shaken, shaken.accelerations.count), (swung, 61)] {
      let cut = before.accelerations.prefix(count)
      #expect(Self.classifier(Array(cut)).uprightOrientation == .normal)
      let end = (cut.last?.time ?? 0) + 2
      let (one, other) = (Self.classifier(Array(cut)), Self.classifier(quiet.accelerations))
      #expect(
        Self.decisions(one, Self.rest(at: angle, from: end))
          == Self.decisions(other, Self.rest(at: angle, from: end)))
    }
  }

  private static func decisions(
    _ classifier: OrientationClassifier, _ samples: [(time: Double, a: Acceleration)]
  ) -> [String] {
    var classifier = classifier
    return samples.map { sample in
      _ = classifier.add(sample.a, at: Instant(seconds: sample.time))
      return "\(classifier.orientation) \(classifier.tendency?.share ?? 0)"
    }
  }

  /// A sensor whose |a| is above g is learned after seconds at rest, and those before a gap do not count.
  @Test func `a rest before a gap is forgotten`() {
    let heavy = (0..<150).map { (time: 20 + 0.02 * Double($0), a: Acceleration(x: 0, y: -10.1, z: 0)) }
    let decisions = [1, 10].map { seconds in
      let upright = Acceleration(x: 0, y: -Motion.g, z: 0)
      let before = (0..<50 * seconds).map { (time: 0.02 * Double($0), a: upright) }
      return Self.decisions(Self.classifier(before), heavy + Self.rest(at: 60, from: 23))
    }
    #expect(decisions[0] == decisions[1])
  }

  /// The progress that `monitor` draws: evidence accumulates.
  @Test func `the tendency grows until the decision`() {
    var classifier = Self.classifier(Self.rest(at: 0, from: 0))
    var shares: [Double] = []
    for (time, a) in Self.rest(at: 61, from: 1) where classifier.uprightOrientation == .normal {
      _ = classifier.add(a, at: Instant(seconds: time))
      guard let tendency = classifier.tendency else { continue }
      #expect(tendency.orientation == .leftUp)
      shares.append(tendency.share)
    }
    #expect(classifier.uprightOrientation == .leftUp && classifier.tendency == nil)
    #expect(shares.count > 2 && shares == shares.sorted() && shares.allSatisfy { (0...1).contains($0) })
    #expect(shares.contains { $0 > 0 && $0 < 1 })
  }

  @Test func `a gap is more than a second`() {
    let sideways = Acceleration(x: 9.81, y: 0, z: 0)
    for (gap, expected) in [(1.0, DeviceOrientation.leftUp), (1.001, .unknown)] {
      #expect(Self.classifier([(5, sideways), (5 + gap, sideways)]).uprightOrientation == expected)
    }
  }

  /// A sensor that is exactly level has no direction in the plane; later samples are classified as usual.
  @Test func `rotations follow an exactly flat start`() {
    let flat = (0..<10).map { (time: 0.02 * Double($0), a: Acceleration(x: 0, y: 0, z: 9.81)) }
    let upright = Self.classifier(flat + Self.rest(at: 0, from: 0.2))
    #expect(upright.uprightOrientation == .normal)
    #expect(
      Self.classifier(flat + Self.rest(at: 0, from: 0.2) + Self.rest(at: 75, from: 1.2)).uprightOrientation
        == .leftUp)
  }

  @Test func `the face is reported however weak the sample`() {
    #expect(Self.classifier([(0, Acceleration(x: 0, y: 0.1, z: 0.8))]).orientation == .faceUp)
    #expect(Self.classifier([(0, Acceleration(x: 0, y: 0.1, z: -0.8))]).orientation == .faceDown)
    let weak = (0..<50).map { (time: 0.02 * Double($0), a: Acceleration(x: 0.8, y: 0.1, z: 0)) }
    #expect(Self.classifier(weak).uprightOrientation == .leftUp)
  }

  /// Degrees by which the screen leans back from upright.
  private static func leaning(_ tilt: Double, from time: Double) -> [(time: Double, a: Acceleration)] {
    let (lying, upright) = Motion.unit(tilt)
    return (0..<25).map {
      (time + 0.04 * Double($0), Acceleration(x: 0, y: -9.81 * upright, z: 9.81 * lying))
    }
  }

  @Test func `flat begins at 63 degrees and ends at 59`() {
    let upright = Self.leaning(10, from: 0)
    #expect(Self.classifier(upright + Self.leaning(62.5, from: 1)).orientation == .normal)
    #expect(Self.classifier(upright + Self.leaning(63.5, from: 1)).orientation == .faceUp)
    let flat = upright + Self.leaning(80, from: 1)
    #expect(Self.classifier(flat + Self.leaning(59.5, from: 2)).orientation == .faceUp)
    #expect(Self.classifier(flat + Self.leaning(58.5, from: 2)).orientation == .normal)
  }

  @Test(arguments: rates)
  func `a device at rest needs no following`(_ rate: Double) {
    for angle in [0.0, 15, 90] {
      var motion = Motion(rate: rate, from: angle)
      motion.rest(2)
      #expect(!Classification(motion).classifier.needsFollowing(at: Instant(seconds: motion.now)))
      motion.move(to: angle + 30, in: 0.5)
      #expect(Classification(motion).classifier.needsFollowing(at: Instant(seconds: motion.now)))
    }
  }

  @Test(arguments: [0.0, 25, -25])
  func `a device that is tilted needs following while it moves`(_ lean: Double) {
    var motion = Motion(rate: 10, from: 0, tilt: lean)
    motion.rest(1)
    motion.move(to: 35, in: 1)
    #expect(Classification(motion).classifier.needsFollowing(at: Instant(seconds: motion.now)))
    motion.rest(1)
    #expect(!Classification(motion).classifier.needsFollowing(at: Instant(seconds: motion.now)))
  }

  /// Leaning back is a movement as much as a rotation.
  @Test(arguments: [(-30.0, 0.0), (30, 0), (0, 20), (0, -20)])
  func `a device that moves again is followed again`(_ rotation: Double, _ lean: Double) {
    var motion = Motion(rate: 25, from: 30)
    motion.noise = 0.01
    motion.rest(7)
    #expect(!Classification(motion).classifier.needsFollowing(at: Instant(seconds: motion.now)))
    motion.move(to: 30 + rotation / 3, tilt: lean * 0.6, in: 1)
    #expect(Classification(motion).classifier.needsFollowing(at: Instant(seconds: motion.now)))
  }

  /// A knock at the end of the range of ±16 g on all three axes is a measurement; twice that is not.
  @Test func `samples of the widest range are plausible`() {
    let most = 16 * 9.80665
    #expect(OrientationClassifier.isPlausible(Acceleration(x: most, y: -most, z: most)))
    #expect(!OrientationClassifier.isPlausible(Acceleration(x: 2 * most, y: 0, z: 0)))
  }

  // MARK: Bad input

  static let impossible = [
    Acceleration(x: 0, y: 0, z: 0), Acceleration(x: .nan, y: 0, z: 9), Acceleration(x: 0, y: .infinity, z: 0),
    Acceleration(x: 1e200, y: 1e200, z: 0), Acceleration(x: 0, y: 0, z: -1e3),
    Acceleration(x: 1e-300, y: 0, z: 0),
  ]

  @Test func `bad samples change nothing`() {
    var motion = Motion(rate: 25, seed: 9)
    motion.rest(1)
    motion.move(to: 90, in: 0.8)
    motion.rest(1)
    var clean = OrientationClassifier()
    var disturbed = OrientationClassifier()
    for (time, a, _) in motion.samples {
      let now = Instant(seconds: time)
      let hasChanged = clean.add(a, at: now)
      let hasDisturbedChanged = disturbed.add(a, at: now)
      #expect(hasChanged == hasDisturbedChanged)
      let believed = Self.disturb(&disturbed, after: time)
      #expect(!believed)
      #expect(clean.orientation == disturbed.orientation)
      #expect(clean.needsFollowing(at: now) == disturbed.needsFollowing(at: now))
    }
    #expect(clean.uprightOrientation == .leftUp)
  }

  /// Implausible values, the same moment twice, and the past.
  private static func disturb(_ classifier: inout OrientationClassifier, after time: Double) -> Bool {
    let other = Acceleration(x: -9, y: 9, z: 0)
    let bad = impossible.map { ($0, time + 0.01) } + [(other, time), (other, time - 5)]
    return bad.map { classifier.add($0, at: Instant(seconds: $1)) }.contains(true)
  }

  @Test func `any samples are accepted without a trap`() {
    var random = SeededGenerator(seed: 11)
    var classifier = OrientationClassifier()
    let scales = [1e-308, 1e-3, 1, 9.8, 50, 280, 1e5, 1e308, .infinity, .nan]
    for _ in 0..<20_000 {
      let scale = scales.randomElement(using: &random) ?? 1
      let axis = { (random: inout SeededGenerator) in Double.random(in: -1...1, using: &random) * scale }
      let a = Acceleration(x: axis(&random), y: axis(&random), z: axis(&random))
      let time = Instant(
        nanoseconds: Int64.random(in: .min ... .max, using: &random)
          >> Int64.random(in: 0...40, using: &random))
      let before = classifier.uprightOrientation
      let hasChanged = classifier.add(a, at: time)
      #expect(hasChanged == (classifier.uprightOrientation != before))
      #expect(classifier.uprightOrientation != .faceUp && classifier.uprightOrientation != .faceDown)
      _ = classifier.needsFollowing(at: time)
    }
  }

  @Test func `the state is small`() {
    #expect(MemoryLayout<OrientationClassifier>.size <= 1024)
  }
}
