// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import SensorSources

/// On any machine, whether it has a sensor or not.
@MainActor @Suite struct IIOAccelerometerAnywhereTests {
  @Test func `the first report says whether a sensor exists`() throws {
    let fixture = try SourceFixture()
    let source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
    for round in 1...3 {
      try source.start(fixture.record)
      #expect(fixture.events.count == round - 1, "nothing is reported from within start")
      try fixture.await("the first report") { fixture.events.count == round }
      source.stop()
    }
    #expect(fixture.finds.count + fixture.losses.count == 3)
  }
}

@MainActor
@Suite(.serialized, .enabled(if: MockAccelerometer.isAvailable, "needs a mock accelerometer and umockdev"))
struct IIOAccelerometerTests {
  private let mock = MockAccelerometer()
  private let fixture: SourceFixture
  private let source: IIOAccelerometer

  init() throws {
    fixture = try SourceFixture()
    source = IIOAccelerometer(loop: fixture.loop, notice: fixture.note)
    mock.set(0, -1024, 0)
    try source.start(fixture.record)
    try fixture.await("the sensor") { !fixture.finds.isEmpty }
  }

  private func isNear(_ x: Double, _ y: Double, _ z: Double) -> Bool {
    guard let a = fixture.samples.last?.acceleration else { return false }
    return abs(a.x - x) + abs(a.y - y) + abs(a.z - z) < 0.1
  }

  @Test func `samples follow the sensor`() throws {
    source.demand(.following)
    try fixture.await("upright") { isNear(0, -9.81, 0) }
    mock.set(1024, 0, 0)
    try fixture.await("left up") { isNear(9.81, 0, 0) }
    source.stop()
  }

  @Test(arguments: [SensorDemand.following, .resting])
  func `samples continue after the fast start`(demand: SensorDemand) throws {
    source.demand(demand)
    try fixture.await("five samples after the fast start") { laterSamples.count >= 5 }
    source.stop()
  }

  private var laterSamples: [Instant] {
    let moments = fixture.samples.map(\.moment)
    let fastStart = Double(ReadSchedule.boostTime) / 1e9
    return moments.filter { $0.seconds(since: moments[0]) > fastStart }
  }

  @Test func `without demand there are no samples`() throws {
    source.demand(.following)
    try fixture.await("a sample") { fixture.samples.count >= 1 }
    source.demand(.off)
    let count = fixture.samples.count
    // Another source reads the same sensor meanwhile.
    let others = try SourceFixture()
    let other = IIOAccelerometer(loop: fixture.loop, usesBuffer: false, notice: others.note)
    try other.start(others.record)
    other.demand(.following)
    try fixture.await("samples of the other") { others.samples.count >= 20 }
    other.stop()
    #expect(fixture.samples.count <= count + 1, "one read may have been under way")
    source.demand(.resting)
    try fixture.await("another sample") { fixture.samples.count > count }
    source.stop()
  }

  @Test func `a sensor that fails is lost once and found again`() throws {
    source.demand(.following)
    try mock.replacing("in_accel_y_raw") {
      try fixture.await("the loss") { !fixture.losses.isEmpty }
      let reads = try Reads(of: mock.path(of: "in_accel_x_raw"))
      for _ in 1...2 { try fixture.await("another try") { reads.takeAny() } }
    }
    try fixture.await("the sensor again") { fixture.finds.count == 2 }
    source.stop()
    #expect(fixture.losses.count == 1)
    #expect(fixture.losses.first?.contains("cannot be read (Input/output error): it is retried") == true)
  }

  @Test func `a read that hangs does not block the loop`() throws {
    try mock.hanging("in_accel_y_raw") {
      let reads = try Reads(of: mock.path(of: "in_accel_y_raw"))
      source.demand(.following)
      try fixture.await("the reader to begin") { reads.takeAny() }
      // Waiting for the reader here would never end: it can read only after this.
      source.demand(.off)
      source.stop()
      #expect(fixture.samples.isEmpty)
    }
  }
}
