// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct CalibrationTests {
  /// Gravity in the panel's frame in each position, m/s².
  static let gravities = [
    Acceleration(x: 0, y: -9.81, z: 0), Acceleration(x: 9.81, y: 0, z: 0), Acceleration(x: 0, y: 9.81, z: 0),
    Acceleration(x: 0, y: 0, z: 9.81),
  ]

  /// All 48 ways of permuting and mirroring three axes.
  static let matrices: [MountMatrix] = {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    return orders.flatMap { order in
      (0..<8).compactMap { signs in
        var elements = [Double](repeating: 0, count: 9)
        for row in 0..<3 { elements[row * 3 + order[row]] = signs >> row & 1 == 0 ? 1 : -1 }
        return MountMatrix(elements)
      }
    }
  }()

  /// The sensor's own readings: the inverse, which for these matrices is the transpose.
  static func raw(_ panel: Acceleration, _ matrix: MountMatrix) -> Acceleration {
    let m = matrix.elements
    return Acceleration(
      x: m[0] * panel.x + m[3] * panel.y + m[6] * panel.z,
      y: m[1] * panel.x + m[4] * panel.y + m[7] * panel.z,
      z: m[2] * panel.x + m[5] * panel.y + m[8] * panel.z)
  }

  @Test func `there are 48 matrices`() {
    #expect(Self.matrices.count == 48)
    #expect(Set(Self.matrices.map(\.text)).count == 48)
  }

  @Test(arguments: matrices)
  func `finds each matrix`(_ matrix: MountMatrix) throws {
    #expect(try Calibration.matrix(of: Self.gravities.map { Self.raw($0, matrix) }) == matrix)
  }

  /// No device is held exactly: up to 20° off in any direction, and a sensor 8 % off.
  @Test(arguments: matrices)
  func `finds each matrix despite noise`(_ matrix: MountMatrix) throws {
    var generator = SeededGenerator(
      seed: UInt64(matrix.text.utf8.reduce(7) { $0 &* 31 &+ Int($1) }.magnitude))
    for _ in 0..<50 {
      let means = Self.gravities.map { Self.raw(Self.swayed($0, using: &generator), matrix) }
      #expect(try Calibration.matrix(of: means) == matrix)
    }
  }

  private static func swayed(_ gravity: Acceleration, using generator: inout SeededGenerator) -> Acceleration
  {
    func random(_ limit: Double) -> Double { .random(in: -limit...limit, using: &generator) }
    let tilted = Acceleration(
      x: gravity.x + random(2.4), y: gravity.y + random(2.4), z: gravity.z + random(2.4))
    let length = 9.81 * (1 + random(0.08)) / tilted.magnitude
    return Acceleration(
      x: tilted.x * length + random(0.3), y: tilted.y * length + random(0.3),
      z: tilted.z * length + random(0.3))
  }

  @Test func `refuses two equal positions`() {
    var means = Self.gravities
    means[1] = means[0]
    #expect(throws: Calibration.Failure.sameDirection(.leftEdgeUp, .upright)) {
      try Calibration.matrix(of: means)
    }
    means = Self.gravities
    means[3] = means[1]
    #expect(throws: Calibration.Failure.sameDirection(.faceUp, .leftEdgeUp)) {
      try Calibration.matrix(of: means)
    }
  }

  @Test func `refuses a wrong upside down position`() {
    var means = Self.gravities
    means[2] = Acceleration(x: 0, y: 0, z: -9.81)
    #expect(throws: Calibration.Failure.contradictory(.upsideDown, .upright)) {
      try Calibration.matrix(of: means)
    }
    means = Self.gravities
    means[1] = Acceleration(x: 0, y: 9.81, z: 0)
    #expect(throws: Calibration.Failure.contradictory(.leftEdgeUp, .upright)) {
      try Calibration.matrix(of: means)
    }
  }

  @Test(arguments: [0, 3, 7.5, 12.5, 98, .infinity, .nan])
  func `refuses magnitudes other than gravity`(_ magnitude: Double) {
    var calibration = Calibration()
    #expect(throws: Calibration.Failure.self) {
      try calibration.add(.upright, Acceleration(x: 0, y: -magnitude, z: 0))
    }
    #expect(calibration.next == .upright)
  }

  /// Readings in units of g have another cause.
  @Test func `only a sensor near zero reports zeros`() {
    #expect([0, 0.4].allSatisfy(Calibration.zeros.contains))
    #expect(![0.98, 9.81].contains(where: Calibration.zeros.contains))
  }

  @Test func `refuses directions between the axes`() throws {
    var calibration = Calibration()
    let failure = #expect(throws: Calibration.Failure.self) {
      try calibration.add(.upright, Acceleration(x: 0, y: -7, z: -7))
    }
    guard case .betweenAxes(.upright, let cosine) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(abs(cosine - 0.7071) < 0.0001)
    try calibration.add(.upright, Acceleration(x: 0, y: -8.7, z: -4.5))
  }

  @Test func `a position is like a measured one within 30 degrees`() throws {
    var calibration = Calibration()
    let (near, far) = (Acceleration(x: 0, y: -8.6, z: 4.8), Acceleration(x: 0, y: -8.4, z: 5.1))
    #expect(!calibration.isNearMeasured(near))
    try calibration.add(.upright, Self.gravities[0])
    try calibration.add(.leftEdgeUp, Self.gravities[1])
    #expect(calibration.isNearMeasured(near) && calibration.isNearMeasured(Self.gravities[1]))
    #expect(!calibration.isNearMeasured(far))
    for other in [Self.gravities[2], Self.gravities[3], Acceleration(x: 0, y: 0, z: 0)] {
      #expect(!calibration.isNearMeasured(other))
    }
  }

  /// As users mix up left and right, or lay the device on its screen.
  @Test(arguments: matrices)
  func `a mirror is doubtful, and only that`(_ matrix: MountMatrix) {
    #expect((Calibration.doubtfulPosition(in: matrix) == nil) == (matrix.determinant > 0))
  }

  /// Rounded, its determinant is a little less than 1.
  @Test func `a sensor between the axes is no mirror`() throws {
    let matrix = try #require(MountMatrix(text: "0.7, -0.7, 0; 0.7, 0.7, 0; 0, 0, 1"))
    #expect(Calibration.doubtfulPosition(in: matrix) == nil)
  }

  @Test func `the sensor of the base is calibrated only on request`() {
    #expect(!AccelerometerSettings().readsBase)
  }

  @Test func `the position held the other way is found`() throws {
    for (index, position) in [(1, Calibration.Position.leftEdgeUp), (3, .faceUp)] {
      var means = Self.gravities
      means[index] = Acceleration(x: -means[index].x, y: 0, z: -means[index].z)
      #expect(Calibration.doubtfulPosition(in: try Calibration.matrix(of: means)) == position)
    }
  }

  @Test func `needs all four positions`() {
    #expect(throws: Calibration.Failure.incomplete) {
      try Calibration.matrix(of: Array(Self.gravities.prefix(3)))
    }
  }

  /// Three measurements may already determine the matrix, but do not confirm it.
  @Test func `a skipped position is missing`() throws {
    for skipped in Calibration.Position.allCases {
      var calibration = Calibration()
      for (position, mean) in zip(Calibration.Position.allCases, Self.gravities) where position != skipped {
        try calibration.add(position, mean)
      }
      #expect(throws: Calibration.Failure.incomplete) { try calibration.matrix() }
    }
  }
}

struct SteadyPositionDetectorTests {
  private func after(_ values: [Double], every step: Double = 0.04) -> Acceleration? {
    var stillness = SteadyPositionDetector(seconds: 1)
    for (index, value) in values.enumerated() {
      stillness.add(Acceleration(x: value, y: -9.81, z: 0), at: Instant(seconds: Double(index) * step))
    }
    return stillness.steadyMean
  }

  @Test func `a device at rest is still`() throws {
    let steadyMean = try #require(after((0..<30).map { $0 % 2 == 0 ? 0.1 : 0.3 }))
    #expect(abs(steadyMean.x - 0.2) < 0.02 && steadyMean.y.rounded() == -10)
  }

  @Test func `a moving device is not still`() {
    #expect(after((0..<30).map { Double($0) * 0.1 }) == nil)
    #expect(after(Array(repeating: 0, count: 29) + [3]) == nil)
  }

  @Test func `stillness needs its whole span`() {
    #expect(after(Array(repeating: 0, count: 24)) == nil)
    #expect(after([0, 0], every: 5) == nil)
    #expect(after(Array(repeating: 5, count: 20) + Array(repeating: 0, count: 27)) != nil)
  }

  /// A knock more than a second ago does not count.
  @Test func `stillness needs no more than its span`() {
    #expect(after([5] + Array(repeating: 0, count: 11), every: 0.1) != nil)
    #expect(after([5] + Array(repeating: 0, count: 10), every: 0.1) == nil)
  }

  // MARK: Limits of stillness

  private func measured(_ values: [Acceleration], every step: Double, seconds: Double = 1) -> Acceleration? {
    var detector = SteadyPositionDetector(seconds: seconds)
    for (index, value) in values.enumerated() {
      detector.add(value, at: Instant(seconds: Double(index) * step))
    }
    return detector.steadyMean
  }

  /// Samples that alternate along one axis.
  private func swaying(_ axis: WritableKeyPath<Acceleration, Double>, by sway: Double) -> [Acceleration] {
    (0..<40).map { index in
      var a = Acceleration(x: 0, y: -9.81, z: 0)
      a[keyPath: axis] += index % 2 == 0 ? sway : -sway
      return a
    }
  }

  @Test(arguments: [0, 1, 2])
  func `a slight sway on each axis is still`(_ number: Int) {
    let axis = [\Acceleration.x, \.y, \.z][number]
    #expect(measured(swaying(axis, by: 0.38), every: 0.04) != nil)
    #expect(measured(swaying(axis, by: 0.42), every: 0.04) == nil)
  }

  @Test(arguments: [0, 1, 2])
  func `one knock is not still`(_ number: Int) {
    let axis = [\Acceleration.x, \.y, \.z][number]
    for (knock, isStill) in [(1.4, true), (1.65, false), (-1.65, false)] {
      var values = Array(repeating: Acceleration(x: 0, y: -9.81, z: 0), count: 40)
      values[30][keyPath: axis] += knock
      #expect((measured(values, every: 0.04) != nil) == isStill, "\(knock)")
    }
  }

  @Test func `the device orientation does not matter`() {
    for (x, y, z) in [(6.9, 6.9, 0), (-6.9, 0, -6.9), (0, -6.9, 6.9), (5.7, 5.7, 5.7)] {
      let held = swaying(\.x, by: 0.1).map { Acceleration(x: $0.x + x, y: y, z: z) }
      #expect(measured(held, every: 0.04) != nil)
    }
  }

  @Test func `the result is the mean`() throws {
    let values = (0..<6).map { Acceleration(x: 0.1 * Double($0), y: -9, z: 0.05 * Double($0)) }
    let mean = try #require(measured(values, every: 0.2))
    #expect(abs(mean.x - 0.25) < 1e-9 && abs(mean.y + 9) < 1e-9 && abs(mean.z - 0.125) < 1e-9)
  }

  @Test func `five samples are needed`() {
    let still = Acceleration(x: 0, y: -9.81, z: 0)
    #expect(measured(Array(repeating: still, count: 5), every: 0.25) != nil)
    #expect(measured(Array(repeating: still, count: 4), every: 0.34) == nil)
  }

  @Test func `a gap or a clock going back restarts`() {
    let still = Acceleration(x: 0, y: -9.81, z: 0)
    #expect(measured(Array(repeating: still, count: 6), every: 1, seconds: 5) != nil)
    #expect(measured(Array(repeating: still, count: 6), every: 1.01, seconds: 5) == nil)
    var detector = SteadyPositionDetector(seconds: 1)
    for index in 0..<30 { detector.add(still, at: Instant(seconds: Double(index) * 0.04)) }
    #expect(detector.steadyMean != nil)
    detector.add(still, at: Instant(seconds: 1.16))
    #expect(detector.steadyMean != nil, "the same moment twice")
    detector.add(still, at: Instant(seconds: 0.5))
    #expect(detector.steadyMean == nil)
    for index in 0..<30 { detector.add(still, at: Instant(seconds: 0.5 + Double(index) * 0.04)) }
    #expect(detector.steadyMean != nil)
    detector.restart()
    #expect(detector.steadyMean == nil)
  }
}
