// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// Parts of the classifier, each on its own.
struct ClassifierPartsTests {
  private static let end = 4.363

  @Test func `the largest rate twice on one axis ends the range`() {
    var range = GyroscopeRange()
    range.add(AngularRate(x: 0, y: 0, z: Self.end))
    #expect(!range.isExceeded)
    range.add(AngularRate(x: 0.1, y: 0, z: -Self.end))
    #expect(range.isExceeded)
    range.add(AngularRate(x: 0.1, y: 0, z: 1))
    #expect(!range.isExceeded, "the true rate is known again")
    range.add(AngularRate(x: Self.end, y: 0, z: 0))
    #expect(range.isExceeded, "all axes have the same range")
  }

  @Test func `the same rate on one axis after another is in range`() {
    var range = GyroscopeRange()
    range.add(AngularRate(x: Self.end, y: 0, z: 0))
    range.add(AngularRate(x: 0, y: 0, z: Self.end))
    #expect(!range.isExceeded)
  }

  @Test(arguments: [1.5, 2, end])
  func `a rate that is measured once is in range`(_ rate: Double) {
    var range = GyroscopeRange()
    range.add(AngularRate(x: 0, y: 0, z: rate))
    #expect(!range.isExceeded)
  }

  @Test func `an almost flat device has a rotation speed`() {
    var tracker = GravityTracker()
    let almostFlat = Acceleration(x: 0.5, y: 0, z: 9.8)
    tracker.begin(almostFlat)
    #expect(tracker.spin == 0 && tracker.deceleration == 0)
    tracker.add(almostFlat, rate: AngularRate(x: 0, y: 0, z: 1), isInRange: true, dt: 0.02)
    #expect(abs(abs(tracker.spin) - 1) < 0.1)
  }

  /// Not a number would remain in the mean of the deceleration.
  @Test func `a device that lies exactly flat has no rotation speed`() {
    var tracker = GravityTracker()
    let flat = Acceleration(x: 0, y: 0, z: 9.81)
    tracker.begin(flat)
    for _ in 0..<3 { tracker.add(flat, other: 0, dt: 0.02) }
    #expect(tracker.spin == 0 && tracker.deceleration == 0)
    for _ in 0..<3 { tracker.add(flat, rate: .zero, isInRange: true, dt: 0.02) }
    #expect(tracker.spin == 0 && tracker.deceleration == 0)
    #expect(tracker.predictedAngle(in: 1) == 0)
  }

  /// The device rotates at 115° a second and is shaken, for 1.6 s and for 3.2 s.
  @Test func `a device is not carried before two seconds of steps`() {
    var carried = CarriedDetector()
    for _ in 0..<80 { carried.add(excess: 1.2, rate: AngularRate(x: 0, y: 0, z: 2), dt: 0.02) }
    #expect(!carried.isCarried)
    for _ in 0..<80 { carried.add(excess: 1.2, rate: AngularRate(x: 0, y: 0, z: 2), dt: 0.02) }
    #expect(carried.isCarried)
  }

  /// Radians a second; in a pocket or a swinging arm most of the time is quicker than 1.
  @Test(arguments: [(0.9, false), (1.2, true)])
  func `only quick rotations show that a device is carried`(_ rate: Double, _ isCarried: Bool) {
    var carried = CarriedDetector()
    for _ in 0..<250 { carried.add(excess: 2, rate: AngularRate(x: 0, y: 0, z: rate), dt: 0.02) }
    #expect(carried.isCarried == isCarried)
  }

  @Test func `a device shaken without a rotation is not carried`() {
    var carried = CarriedDetector()
    for _ in 0..<50 { carried.add(excess: 4, rate: .zero, dt: 0.02) }
    #expect(!carried.isCarried)
  }

  /// The mean follows within 0.2 s.
  @Test func `a new orientation lasts after 0.7 seconds`() {
    var lasting = LastingOrientation()
    lasting.begin(Acceleration(x: 0, y: -9.81, z: 0))
    let left = Acceleration(x: 9.81, y: 0, z: 0)
    let count = (1...100).first { _ in lasting.add(left, dt: 0.02, current: .normal) != nil }
    #expect(count.map { abs(0.02 * Double($0) - 0.7) < 0.05 } == true)
  }

  @Test func `motion is recent for 0.6 seconds`() {
    var motion = RecentMotion()
    motion.update(.zero, noise: 0, hasEvidence: true, at: Instant(seconds: 5))
    #expect(motion.isRecent(at: Instant(seconds: 5.599)) && !motion.isRecent(at: Instant(seconds: 5.6)))
  }

  @Test func `an orientation lasts after half a second`() {
    let left = Acceleration(x: 9.81, y: 0, z: 0)
    var lasting = LastingOrientation()
    lasting.begin(left)
    let found = (0..<5).map { _ in lasting.add(left, dt: 0.125, current: .normal) }
    #expect(found == [nil, nil, nil, nil, DeviceOrientation(nearestTo: left)])
  }

  private static func restingMagnitude(_ measured: Double, seconds: Double) -> Double {
    var resting = RestingMagnitude()
    for _ in 0..<Int(seconds * 50) { resting.add(measured, dt: 0.02) }
    return resting.value
  }

  @Test(arguments: [(-1.4, false), (-1.2, true), (1.2, true), (1.4, false)])
  func `a magnitude far from standard gravity is not learned`(_ offset: Double, _ isLearned: Bool) {
    let value = Self.restingMagnitude(RestingMagnitude.gravity + offset, seconds: 10)
    #expect((value != RestingMagnitude.gravity) == isLearned)
  }

  @Test(arguments: [(3.3, false), (3.8, true)])
  func `the magnitude is learned after 3.5 seconds at rest`(_ seconds: Double, _ isLearned: Bool) {
    let value = Self.restingMagnitude(RestingMagnitude.gravity + 0.5, seconds: seconds)
    #expect((value != RestingMagnitude.gravity) == isLearned)
  }
}
