// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Testing

@testable import SensorSources

/// Tent, stand or tablet.
@Suite struct FoldedShapeTests {
  private static let g = 9.80665

  /// Gravity measured in a part: 0° is face up, −90° has the upper edge up; leaning along the hinge.
  private static func gravity(_ degrees: Double, leaning: Double = 0) -> Acceleration {
    let (rotation, lean) = (degrees * .pi / 180, leaning * .pi / 180)
    return Acceleration(x: g * sin(lean), y: g * cos(lean) * sin(rotation), z: g * cos(lean) * cos(rotation))
  }

  /// Adds readings of one angle and tip, two per second.
  private static func rest(
    _ hinge: inout HingeAngle, _ degrees: Double, tip: Double, leaning: Double = 0, seconds: Double,
    from start: Double
  ) {
    for step in 0...Int(seconds * 2) {
      hinge.add(
        base: gravity(tip + 180, leaning: leaning), display: gravity(tip + degrees - 180, leaning: leaning),
        at: Instant(seconds: start + Double(step) / 2))
    }
  }

  private static func shape(_ degrees: Double, tip: Double, leaning: Double = 0, seconds: Double = 2)
    -> Posture
  {
    var hinge = HingeAngle()
    rest(&hinge, degrees, tip: tip, leaning: leaning, seconds: seconds, from: 100)
    return hinge.posture
  }

  private static func tent(_ degrees: Double) -> Double { -90 + (360 - degrees) / 2 }

  @Test(arguments: [235.0, 270, 300, 325])
  func `on both edges a device is a tent`(degrees: Double) {
    for tipped in [-25.0, 0, 25] {
      #expect(
        Self.shape(degrees, tip: Self.tent(degrees) + tipped) == .tent, "\(degrees)° tipped by \(tipped)°")
    }
    #expect(Self.shape(degrees, tip: Self.tent(degrees) + 35) == .tablet)
  }

  @Test(arguments: [235.0, 270, 300, 325])
  func `on its keyboard a device is a stand`(degrees: Double) {
    for tip in [-155.0, 180, 155] {
      #expect(Self.shape(degrees, tip: tip) == .stand, "\(degrees)° tipped to \(tip)°")
    }
    for tip in [145.0, 10] { #expect(Self.shape(degrees, tip: tip) == .tablet) }
  }

  @Test(arguments: [235.0, 270, 300, 325])
  func `a hinge sensor gives the same shapes`(degrees: Double) {
    for tip in stride(from: -177.0, to: 180, by: 10) {
      var hinge = HingeAngle()
      for step in 0...4 {
        hinge.add(
          degrees: degrees, display: Self.gravity(tip + degrees - 180),
          at: Instant(seconds: 100 + Double(step) / 2))
      }
      #expect(hinge.posture == Self.shape(degrees, tip: tip), "\(degrees)° tipped to \(tip)°")
    }
  }

  /// Even upside down, as in a tent.
  @Test func `a tablet folded flat is never a tent`() {
    for tip in stride(from: -180.0, to: 180, by: 10) {
      for degrees in [205.0, 220, 335, 339] {
        #expect(Self.shape(degrees, tip: tip) == .tablet, "\(degrees)° at \(tip)°")
      }
    }
    #expect(Self.shape(110, tip: Self.tent(110)) == .laptop)
  }

  @Test func `a hinge that is not level means tablet`() {
    #expect(Self.shape(300, tip: Self.tent(300), leaning: 25) == .tent)
    #expect(Self.shape(300, tip: Self.tent(300), leaning: 35) == .tablet)
    #expect(Self.shape(300, tip: 180, leaning: -35) == .tablet)
  }

  @Test func `a shape is reported after a second`() {
    #expect(Self.shape(300, tip: 180, seconds: 0.5) == .tablet)
    #expect(Self.shape(300, tip: 180, seconds: 1) == .stand)
  }

  @Test func `a shape stays within wider limits`() {
    for (degrees, tip, leaning) in [(300.0, 140.0, 0.0), (218, 180, 0), (338, 180, 0), (300, 180, 40)] {
      var hinge = HingeAngle()
      Self.rest(&hinge, 300, tip: 180, seconds: 2, from: 100)
      Self.rest(&hinge, degrees, tip: tip, leaning: leaning, seconds: 9, from: 110)
      #expect(hinge.posture == .stand, "\(degrees)° at \(tip)° leaning \(leaning)°")
    }
    for (degrees, tip, leaning) in [(300.0, 130.0, 0.0), (212, 180, 0), (345, 180, 0), (300, 180, 50)] {
      var hinge = HingeAngle()
      Self.rest(&hinge, 300, tip: 180, seconds: 2, from: 100)
      Self.rest(&hinge, degrees, tip: tip, leaning: leaning, seconds: 9, from: 110)
      #expect(hinge.posture == .tablet, "\(degrees)° at \(tip)° leaning \(leaning)°")
    }
  }

  @Test func `a knock does not end a shape`() {
    var hinge = HingeAngle()
    Self.rest(&hinge, 300, tip: 180, seconds: 2, from: 100)
    Self.rest(&hinge, 300, tip: 90, seconds: 0.5, from: 103)
    #expect(hinge.posture == .stand)
    Self.rest(&hinge, 300, tip: 180, seconds: 0, from: 104)
    Self.rest(&hinge, 300, tip: 90, seconds: 0.5, from: 104.5)
    #expect(hinge.posture == .stand, "the second starts again")
  }

  @Test func `a shape that cannot be measured becomes a tablet`() {
    var hinge = HingeAngle()
    Self.rest(&hinge, 300, tip: 180, seconds: 2, from: 100)
    Self.rest(&hinge, 300, tip: 180, leaning: 80, seconds: 1, from: 102.5)
    #expect(hinge.posture == .stand)
    Self.rest(&hinge, 300, tip: 180, leaning: 80, seconds: 1, from: 104)
    #expect(hinge.posture == .tablet)
    #expect(!hinge.isCertain)
  }

  @Test func `after unfolding a shape starts again`() {
    var hinge = HingeAngle()
    Self.rest(&hinge, 300, tip: 180, seconds: 2, from: 100)
    Self.rest(&hinge, 110, tip: 0, seconds: 0, from: 103)
    #expect(hinge.posture == .laptop)
    Self.rest(&hinge, 300, tip: 180, seconds: 0.5, from: 104)
    #expect(hinge.posture == .tablet)
    hinge.isLidClosed = true
    #expect(hinge.posture == .laptop)
  }
}
