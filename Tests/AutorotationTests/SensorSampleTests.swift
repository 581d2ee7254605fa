// SPDX-License-Identifier: MIT

import Testing

@testable import Autorotation

/// What the samples of the sensor change, and when.
struct SensorSampleTests {
  private static let leftUp = Acceleration(x: 9.81, y: 0, z: 0)
  private static let bottomUp = Acceleration(x: 0, y: 9.81, z: 0)

  private static func machine() -> Autorotator {
    var machine = Autorotator()
    _ = machine.handle(.sensorFound(name: "accelerometer"), at: Instant(seconds: 0))
    let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
    _ = machine.handle(.outputsChanged([panel]), at: Instant(seconds: 0))
    return machine
  }

  /// 50 samples a second.
  private static func hold(
    _ a: Acceleration, _ machine: inout Autorotator, from start: Double, seconds: Double
  ) -> [Action] {
    (0..<Int(seconds * 50)).flatMap { step in
      machine.handle(.acceleration(a), at: Instant(seconds: start + Double(step) / 50))
    }
  }

  private static func device(_ actions: [Action]) -> DeviceOrientation? {
    actions.reduce(nil) { latest, action in
      if case .publish(let status) = action { status.device } else { latest }
    }
  }

  @Test func `a new sensor does not continue with the samples of the old one`() throws {
    var machine = Self.machine()
    let old = try #require(Self.device(Self.hold(Self.leftUp, &machine, from: 0.1, seconds: 1.5)))
    #expect(old != .unknown)
    let found = machine.handle(.sensorFound(name: "another"), at: Instant(seconds: 2))
    #expect(Self.device(found) == .unknown)
    let first = machine.handle(.acceleration(Self.bottomUp), at: Instant(seconds: 2.02))
    #expect(Self.device(first) ?? .unknown == .unknown)
  }

  @Test func `a sensor that is still searched for is not faulty`() {
    var machine = Autorotator()
    let statuses = machine.handle(.deadlineReached, at: Instant(seconds: 0)).compactMap { action in
      if case .publish(let status) = action { status } else { nil }
    }
    #expect(statuses.map { $0.reasons.contains(.sensorIsImplausible) } == [false])
  }

  @Test func `samples of a sleeping sensor change nothing`() {
    var machine = Self.machine()
    _ = machine.handle(.command(.lock(nil, until: nil)), at: Instant(seconds: 1))
    #expect(Self.hold(Self.leftUp, &machine, from: 2, seconds: 1.5).isEmpty)
    let hasChanged = machine.add(MotionSample(Self.leftUp), at: Instant(seconds: 3.6))
    #expect(!hasChanged)
    _ = machine.handle(.acceleration(Acceleration(x: 0, y: 0, z: 0)), at: Instant(seconds: 4))
    #expect(machine.deadline == nil)
  }

  /// The next event may be late, while samples keep coming.
  @Test func `a sample at the very deadline does what is due`() throws {
    var machine = Self.machine()
    let actions = Self.hold(Self.leftUp, &machine, from: 0.1, seconds: 1.8)
    #expect(actions.contains { if case .willRotate = $0 { true } else { false } })
    let due = try #require(machine.deadline)
    let last = machine.handle(.acceleration(Self.leftUp), at: due)
    #expect(last.contains { if case .apply = $0 { true } else { false } })
  }
}
