// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Testing

@testable import SensorSources

@Suite struct HingeAngleTests {
  private static let g = 9.80665

  /// Gravity measured in a part rotated about a hinge, which leans by `lean` against the horizontal.
  private static func gravity(_ degrees: Double, lean: Double = 0, times factor: Double = 1) -> Acceleration {
    let (rotation, steep) = (degrees * .pi / 180, lean * .pi / 180)
    return Acceleration(
      x: factor * g * sin(steep), y: factor * g * cos(steep) * sin(rotation),
      z: factor * g * cos(steep) * cos(rotation))
  }

  /// The hinge after readings of these angles, half a second apart, with the whole device rotated by `pose`. The frame of
  /// the base is that of the display with the lid closed.
  private static func opened(
    _ degrees: Double..., pose: Double = 0, lean: Double = 0, times: Int = 1, from start: HingeAngle = .init()
  ) -> HingeAngle {
    var hinge = start
    var now = Instant(seconds: 100)
    for angle in degrees {
      for _ in 1...times {
        hinge.add(
          base: gravity(pose + 180, lean: lean), display: gravity(pose + angle - 180, lean: lean), at: now)
        now = now + .milliseconds(500)
      }
    }
    return hinge
  }

  @Test(
    arguments: [
      (0.0, (0.0, -9.81, 0.0), 90.0), (180, (0, 0, 9.81), 180), (180, (0, 9.81, 0), 270),
      (180, (0, 0, -9.81), 0),
    ] as [(Double, (Double, Double, Double), Double)])
  func `right angles are measured`(_: Double, display: (Double, Double, Double), degrees: Double) throws {
    var hinge = HingeAngle()
    hinge.add(
      base: Acceleration(x: 0, y: 0, z: -9.81),
      display: Acceleration(x: display.0, y: display.1, z: display.2), at: Instant(seconds: 1))
    let found = try #require(hinge.degrees)
    #expect(abs(found - degrees) < 0.001)
  }

  @Test(arguments: Array(stride(from: -180.0, through: 180, by: 15)))
  func `the device orientation does not matter`(pose: Double) throws {
    for angle in stride(from: 25.0, through: 335, by: 10) {
      for lean in [-45.0, 0, 30, 45] {
        let found = try #require(Self.opened(angle, pose: pose, lean: lean).degrees)
        #expect(abs(found - angle) < 1e-6, "\(angle)° leaning \(lean)°")
      }
    }
  }

  @Test(
    arguments: [
      (30, .laptop), (110, .laptop), (159.9, .laptop), (161, .unknown), (180, .unknown), (199, .unknown),
      (200.1, .tablet), (270, .tablet), (339, .tablet), (341, .unknown), (359, .unknown), (1, .unknown),
      (19, .unknown),
    ] as [(Double, Posture)])
  func `one reading gives the posture`(angle: Double, posture: Posture) {
    #expect(Self.opened(angle).posture == posture)
  }

  @Test(
    arguments: [
      ([110, 180, 199], .laptop), ([270, 180, 161], .tablet), ([110, 180, 201], .tablet),
      ([270, 180, 159], .laptop),
      // Folded, and closed, until the angle wraps around.
      ([110, 220, 330, 355, 0, 5], .tablet), ([110, 40, 10, 0, 355, 345], .laptop),
      ([270, 355, 3, 330, 250], .tablet), ([110, 3, 355, 40], .laptop),
    ] as [([Double], Posture)])
  func `a movement ends in the posture`(angles: [Double], posture: Posture) {
    var hinge = HingeAngle()
    for angle in angles { hinge = Self.opened(angle, times: 10, from: hinge) }
    #expect(hinge.posture == posture)
  }

  @Test func `a device started folded is a tablet after two seconds`() {
    #expect(Self.opened(358, times: 4).posture == .unknown)
    #expect(Self.opened(358, times: 5).posture == .tablet)
    #expect(Self.opened(358, 3, 358, 2, 357).posture == .tablet)
    #expect(Self.opened(358, 358, 180, 358, 358).posture == .unknown, "the two seconds start again")
  }

  @Test func `a closed lid means laptop`() {
    var hinge = HingeAngle()
    hinge.isLidClosed = true
    #expect(Self.opened(358, times: 20, from: hinge).posture == .laptop)
    #expect(Self.opened(300, times: 20, from: hinge).posture == .laptop)
    hinge.isLidClosed = false
    #expect(Self.opened(2, times: 20, from: hinge).posture == .laptop)
    #expect(Self.opened(300, from: hinge).posture == .tablet)
  }

  @Test(
    arguments: [
      ([110], true), ([270], true), ([110, 180], false), ([270, 180], false), ([270, 350], true),
      ([110, 180, 150], true), ([350], false),
    ] as [([Double], Bool)])
  func `the posture is sure unless it is an older one`(angles: [Double], isCertain: Bool) {
    var hinge = HingeAngle()
    for angle in angles { hinge = Self.opened(angle, from: hinge) }
    #expect(hinge.isCertain == isCertain)
  }

  @Test func `without usable readings the posture is unsure after two seconds`() {
    var hinge = Self.opened(270)
    let upright = Self.gravity(270, lean: 80)
    hinge.add(base: upright, display: upright, at: Instant(seconds: 101))
    #expect(hinge.isCertain)
    hinge.add(base: upright, display: upright, at: Instant(seconds: 102))
    #expect(!hinge.isCertain)
    #expect(hinge.posture == .tablet)
  }

  @Test func `a steep hinge cannot be measured`() {
    let laptop = Self.opened(110)
    #expect(Self.opened(300, lean: 40, from: laptop).posture == .tablet)
    #expect(Self.opened(300, lean: 63, times: 100, from: laptop).posture == .laptop)
    #expect(Self.opened(300, lean: 90, times: 100, from: laptop).posture == .laptop)
    #expect(Self.opened(300, lean: -80, times: 100, from: laptop).posture == .laptop)
  }

  @Test func `a rather steep hinge is smoothed`() {
    let laptop = Self.opened(110, lean: 60)
    #expect(Self.opened(210, lean: 60, from: laptop).posture == .laptop, "one reading is too few")
    #expect(Self.opened(210, lean: 60, times: 40, from: laptop).posture == .tablet)
    #expect(Self.opened(210, pose: -100, lean: 60, from: laptop).posture == .laptop, "the base has moved")
    #expect(Self.opened(210, pose: -100, lean: 60, times: 40, from: laptop).posture == .tablet)
  }

  @Test(arguments: [
    Acceleration(x: 0, y: 0, z: 0), Acceleration(x: .nan, y: 0, z: 9.8),
    Acceleration(x: 0, y: .infinity, z: 0),
    Acceleration(x: 0, y: 0, z: -11), Acceleration(x: 0, y: 0, z: -8.6),
  ])
  func `contradictory or invalid readings are ignored`(display: Acceleration) {
    var hinge = Self.opened(110)
    for second in 1...10 {
      let now = Instant(seconds: Double(200 + second))
      hinge.add(base: Self.gravity(180), display: display, at: now)
      hinge.add(base: display, display: Self.gravity(120), at: now)
    }
    #expect(hinge.posture == .laptop)
    #expect(hinge.degrees.map { abs($0 - 110) < 0.001 } == true)
  }

  @Test(arguments: [(0.9, Posture.laptop), (-0.9, .laptop), (1.1, .unknown), (-1.1, .unknown)])
  func `two sensors may differ by up to 1 m per s²`(difference: Double, posture: Posture) {
    var hinge = HingeAngle()
    hinge.add(
      base: Self.gravity(180), display: Self.gravity(-80, times: (Self.g + difference) / Self.g),
      at: Instant(seconds: 100))
    #expect(hinge.posture == posture)
  }

  @Test(arguments: [40.0, 90, 130]) func `noise does not change the posture`(angle: Double) {
    var random = SeededRandom(seed: 7)
    var hinge = HingeAngle()
    for step in 1...20_000 {
      func noisy(_ a: Acceleration) -> Acceleration {
        let tremble = { Double.random(in: -1...1, using: &random) }
        return Acceleration(x: a.x + tremble(), y: a.y + tremble(), z: a.z + tremble())
      }
      hinge.add(
        base: noisy(Self.gravity(200)), display: noisy(Self.gravity(20 + angle - 180)),
        at: Instant(seconds: Double(step) / 2))
      #expect(hinge.posture == .laptop || hinge.degrees == nil)
    }
  }
}

/// The kernel's hinge sensor.
@Suite struct HingeSensorTests {
  private static let upright = Acceleration(x: 0, y: -9.81, z: 0)

  /// The hinge after readings half a second apart.
  private static func read(
    _ angles: Double?..., limits: ClosedRange<Int> = 160...200, display: Acceleration = upright,
    from start: HingeAngle? = nil
  ) -> HingeAngle {
    var hinge = start ?? HingeAngle(limits: limits)
    for (step, angle) in angles.enumerated() {
      hinge.add(degrees: angle, display: display, at: Instant(seconds: 100 + Double(step) / 2))
    }
    return hinge
  }

  @Test(
    arguments: [
      ([110], .laptop), ([160], .laptop), ([180], .unknown), ([200], .tablet), ([341], .tablet),
      ([360], .tablet), ([5], .unknown), ([5, 5, 5, 5], .unknown), ([nil], .unknown), ([110, 360], .tablet),
      ([110, 180, nil], .laptop), ([360, 3, 358, 2], .tablet), ([110, 5, 2], .laptop),
      ([300, 180, 161], .tablet), ([300, 150], .laptop),
    ] as [([Double?], Posture)])
  func `angles give the posture`(angles: [Double?], posture: Posture) {
    var hinge = HingeAngle()
    for angle in angles { hinge = Self.read(angle, from: hinge) }
    #expect(hinge.posture == posture)
  }

  /// fstanis/chuwi-minibook#10: folded back, the angle reaches 155°.
  @Test func `limits suit a hinge that ends early`() {
    #expect(Self.read(116, limits: 125...140).posture == .laptop)
    #expect(Self.read(116, 130, limits: 125...140).posture == .laptop)
    #expect(Self.read(116, 153, limits: 125...140).posture == .tablet)
    #expect(Self.read(116, 153, 130, limits: 125...140).posture == .tablet)
    #expect(Self.read(116, 153, 109, limits: 125...140).posture == .laptop)
  }

  @Test func `a steep hinge is measured, too`() {
    #expect(Self.read(110, 300, display: Acceleration(x: 9.81, y: 0, z: 0)).posture == .tablet)
  }

  @Test func `the display's gravity distinguishes tent and stand`() {
    let tent = Acceleration(x: 0, y: 9.81 * sin(1.05), z: 9.81 * cos(1.05))
    #expect(Self.read(300, 300, 300, 300, display: tent).posture == .tent)
    let stand = Acceleration(x: 0, y: -9.81 * sin(1.05), z: 9.81 * cos(1.05))
    #expect(Self.read(300, 300, 300, 300, display: stand).posture == .stand)
  }

  @Test func `a closed lid means laptop`() {
    var hinge = Self.read(300)
    hinge.isLidClosed = true
    #expect(Self.read(358, from: hinge).posture == .laptop)
  }

  @Test func `without readings the posture is unsure after two seconds`() {
    let hinge = Self.read(300, nil, nil, nil)
    #expect(hinge.isCertain)
    let later = Self.read(300, nil, nil, nil, nil)
    #expect(!later.isCertain)
    #expect(later.posture == .tablet)
  }

  @Test(
    arguments: [
      ([110, 110], 110), ([110, 300, 110, 111], 111), ([0, 110, 0, 112], 112), ([0, 0, 0, 0, 0], nil),
      ([110, 200, 110, 200, 110], nil), ([358, 2], 2), ([110, 140], 140), ([110, 141, 142], 142),
    ] as [([Double], Double?)])
  func `two reads in a row have to agree`(reads: [Double], accepted: Double?) {
    var (filter, left) = (HingeJumpFilter(), reads)
    #expect(filter.next { left.isEmpty ? 0 : left.removeFirst() } == accepted)
    #expect(left.isEmpty)
  }

  /// hid-sensor-hub answers 0 after 5 s without an answer of the hub.
  @Test func `a slow sensor is not read again at once and given up after five reads`() {
    var (filter, now, reads) = (HingeJumpFilter(), Int64(0), 0)
    for number in 1...5 {
      #expect(!filter.isTooSlow)
      let angle = filter.next(clock: { now }) { () -> Double in
        now += ReadingHealth.maximumReadTime + 1
        reads += 1
        return 0
      }
      #expect(angle == nil)
      #expect(reads == number)
    }
    #expect(filter.isTooSlow)
  }

  @Test func `a read of half a second is not slow`() {
    var (filter, now) = (HingeJumpFilter(), Int64(0))
    let angle = filter.next(clock: { now }) { () -> Double in
      now += ReadingHealth.maximumReadTime
      return 110
    }
    #expect(angle == 110)
  }

  @Test func `an angle that stays is read once`() {
    var (filter, reads) = (HingeJumpFilter(), 0)
    for _ in 1...10 { _ = filter.next { () -> Double in (reads += 1, 110).1 } }
    #expect(reads == 11)
  }

  /// denelson1-dot/hinged-convertible measured 3.7 % of reads that answer 0.
  @Test(arguments: [(110.0, Posture.laptop), (250, .tablet), (355, .tablet), (153, .tablet)])
  func `a million reads with wrong zeros fold nothing`(angle: Double, posture: Posture) {
    var (random, filter) = (SeededRandom(seed: 11), HingeJumpFilter())
    var hinge = HingeAngle(limits: angle == 153 ? 125...140 : 160...200)
    var (reads, wrong) = (0, 0)
    while reads < 1_000_000 {
      let read = filter.next { () -> Double in
        reads += 1
        return Double.random(in: 0..<1, using: &random) < 0.037 ? 0 : angle
      }
      hinge.add(degrees: read, display: Self.upright, at: Instant(seconds: Double(reads) / 2))
      if hinge.posture.isTablet != posture.isTablet || hinge.posture == .unknown, reads > 20 { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  /// Two readings a second: a fold is seen at the first reading after it.
  @Test func `a fold is recognised at the next reading`() {
    var (random, filter, late) = (SeededRandom(seed: 12), HingeJumpFilter(), 0)
    let read = { (angle: Double) -> Double? in
      filter.next { Double.random(in: 0..<1, using: &random) < 0.037 ? 0 : angle }
    }
    for fold in 0..<20_000 {
      let first = Self.read(read(100), read(100), read(100))
      let folded = Self.read(read(fold % 2 == 0 ? 355 : 250), from: first)
      if !folded.posture.isTablet { late += 1 }
    }
    #expect(late <= 1)
  }
}

/// The same sequence on every run (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
