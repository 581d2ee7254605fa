// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

struct CalibrationTests {
  /// Where gravity points in the panel's frame in each hold, m/s².
  static let holds = [
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

  /// What the sensor itself says: the inverse, which for these is the matrix with rows as columns.
  static func raw(_ panel: Acceleration, _ matrix: MountMatrix) -> Acceleration {
    let m = matrix.elements
    return Acceleration(
      x: m[0] * panel.x + m[3] * panel.y + m[6] * panel.z,
      y: m[1] * panel.x + m[4] * panel.y + m[7] * panel.z,
      z: m[2] * panel.x + m[5] * panel.y + m[8] * panel.z)
  }

  @Test func thereAre48() {
    #expect(Self.matrices.count == 48)
    #expect(Set(Self.matrices.map(\.text)).count == 48)
  }

  @Test(arguments: matrices)
  func findsEachOfThem(_ matrix: MountMatrix) throws {
    #expect(try Calibration.matrix(of: Self.holds.map { Self.raw($0, matrix) }) == matrix)
  }

  /// Nobody holds a device exactly: up to 20° off in any direction, and a sensor 8 % off.
  @Test(arguments: matrices)
  func findsEachOfThemThroughNoise(_ matrix: MountMatrix) throws {
    var generator = SeededGenerator(
      seed: UInt64(matrix.text.utf8.reduce(7) { $0 &* 31 &+ Int($1) }.magnitude))
    for _ in 0..<50 {
      let means = Self.holds.map { Self.raw(Self.swayed($0, using: &generator), matrix) }
      #expect(try Calibration.matrix(of: means) == matrix)
    }
  }

  private static func swayed(_ hold: Acceleration, using generator: inout SeededGenerator) -> Acceleration {
    func random(_ limit: Double) -> Double { .random(in: -limit...limit, using: &generator) }
    let tilted = Acceleration(x: hold.x + random(2.4), y: hold.y + random(2.4), z: hold.z + random(2.4))
    let length = 9.81 * (1 + random(0.08)) / tilted.magnitude
    return Acceleration(
      x: tilted.x * length + random(0.3), y: tilted.y * length + random(0.3),
      z: tilted.z * length + random(0.3))
  }

  @Test func refusesTwoHoldsThatAreTheSame() {
    var means = Self.holds
    means[1] = means[0]
    #expect(throws: Calibration.Failure.alike(.leftEdgeUp, .upright)) { try Calibration.matrix(of: means) }
    means = Self.holds
    means[3] = means[1]
    #expect(throws: Calibration.Failure.alike(.faceUp, .leftEdgeUp)) { try Calibration.matrix(of: means) }
  }

  @Test func refusesAnUpsideDownThatIsNot() {
    var means = Self.holds
    means[2] = Acceleration(x: 0, y: 0, z: -9.81)
    #expect(throws: Calibration.Failure.contradictory(.upsideDown, .upright)) {
      try Calibration.matrix(of: means)
    }
    means = Self.holds
    means[1] = Acceleration(x: 0, y: 9.81, z: 0)
    #expect(throws: Calibration.Failure.contradictory(.leftEdgeUp, .upright)) {
      try Calibration.matrix(of: means)
    }
  }

  @Test(arguments: [0, 3, 7.5, 12.5, 98, .infinity, .nan])
  func refusesWhatIsNotGravity(_ magnitude: Double) {
    var calibration = Calibration()
    #expect(throws: Calibration.Failure.self) {
      try calibration.add(.upright, Acceleration(x: 0, y: -magnitude, z: 0))
    }
    #expect(calibration.next == .upright)
  }

  @Test func refusesWhatLiesBetweenTheAxes() throws {
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

  @Test func needsAllFour() {
    #expect(throws: Calibration.Failure.incomplete) {
      try Calibration.matrix(of: Array(Self.holds.prefix(3)))
    }
  }
}

struct SteadyHoldTests {
  private func after(_ values: [Double], every step: Double = 0.04) -> Acceleration? {
    var stillness = SteadyHold(seconds: 1)
    for (index, value) in values.enumerated() {
      stillness.add(Acceleration(x: value, y: -9.81, z: 0), at: Instant(seconds: Double(index) * step))
    }
    return stillness.place
  }

  @Test func aRestingDeviceIsStill() throws {
    let place = try #require(after((0..<30).map { $0 % 2 == 0 ? 0.1 : 0.3 }))
    #expect(abs(place.x - 0.2) < 0.02 && place.y.rounded() == -10)
  }

  @Test func oneThatMovesIsNot() {
    #expect(after((0..<30).map { Double($0) * 0.1 }) == nil)
    #expect(after(Array(repeating: 0, count: 29) + [3]) == nil)
  }

  @Test func itTakesTime() {
    #expect(after(Array(repeating: 0, count: 24)) == nil)
    #expect(after([0, 0], every: 5) == nil)
    #expect(after(Array(repeating: 5, count: 20) + Array(repeating: 0, count: 27)) != nil)
  }
}
