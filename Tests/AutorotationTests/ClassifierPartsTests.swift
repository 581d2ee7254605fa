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

  /// Not a number would remain in the mean of the deceleration.
  @Test func `a device that lies exactly flat has no rotation speed`() {
    var tracker = GravityTracker()
    let flat = Acceleration(x: 0, y: 0, z: 9.81)
    tracker.begin(flat)
    for _ in 0..<3 { tracker.add(flat, rate: .zero, isInRange: true, dt: 0.02) }
    #expect(tracker.spin == 0 && tracker.deceleration == 0)
  }

  /// The device rotates at 115° a second and is shaken, for 1.6 s and for 3.2 s.
  @Test func `a device is not carried before two seconds of steps`() {
    var carried = CarriedDetector()
    for _ in 0..<80 { carried.add(excess: 1.2, rate: AngularRate(x: 0, y: 0, z: 2), dt: 0.02) }
    #expect(!carried.isCarried)
    for _ in 0..<80 { carried.add(excess: 1.2, rate: AngularRate(x: 0, y: 0, z: 2), dt: 0.02) }
    #expect(carried.isCarried)
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
