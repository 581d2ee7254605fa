// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import SensorSources

extension IIOAccelerometerTests {
  /// The reading thread, through `IIOAccelerometer`.
  @MainActor @Suite struct Reader {
    private let mock = MockAccelerometer()
    private let fixture: SourceFixture

    init() throws {
      fixture = try SourceFixture()
      mock.set(0, -1024, 0)
    }

    private func start(
      _ demand: SensorDemand = .off, usesBuffer: Bool = true, silenceStep: Int64 = SilenceWatch.defaultStep,
      hasUdev: Bool = true
    ) throws -> IIOAccelerometer {
      let source = IIOAccelerometer(loop: fixture.loop, usesBuffer: usesBuffer, notice: fixture.note)
      source.silenceStep = silenceStep
      source.udevControl = hasUdev ? "/" : ""
      source.demand(demand)
      try source.start(fixture.record)
      return source
    }

    private func awaitAttribute(_ name: String, _ text: String) throws {
      try fixture.await("\(name) = \(text), not \(mock.text(name) ?? "missing")") { mock.text(name) == text }
    }

    private func awaitSample(_ raw: Int, file: StaticString = #fileID, line: UInt = #line) throws {
      try fixture.await("a sample of \(raw)", file: file, line: line) {
        fixture.samples.last.map { abs($0.acceleration.x - Double(raw) * 0.00958) < 0.001 } ?? false
      }
    }

    @Test func `the buffer is on only while following`() throws {
      let buffer = try MockBuffer(of: mock)
      let source = try start(.following)
      try awaitAttribute("buffer/enable", "1")
      source.demand(.resting)
      try awaitAttribute("buffer/enable", "0")
      try awaitSample(0)
      source.demand(.following)
      try awaitAttribute("buffer/enable", "1")
      buffer.deliver([512, 0, 0])
      try awaitSample(512)
      source.stop()
      #expect(mock.text("buffer/enable") == "0")
    }

    @Test func `an observer does not use the buffer`() throws {
      let buffer = try MockBuffer(of: mock)
      let source = try start(.following, usesBuffer: false)
      try fixture.await("samples") { fixture.samples.count >= 5 }
      #expect(mock.text("buffer/enable") == "0")
      source.stop()
      withExtendedLifetime(buffer) {}
    }

    @Test func `the buffer of a killed daemon is turned off`() throws {
      let buffer = try MockBuffer(of: mock, attributes: ["buffer/enable": "1", "buffer/length": "67"])
      let source = try start()
      try awaitAttribute("buffer/enable", "0")
      source.stop()
      withExtendedLifetime(buffer) {}
    }

    /// Rest takes ten seconds.
    @Test func `a hub at rest is read when it reports a change`() throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05"])
      let source = try start(.resting)
      try awaitAttribute("in_accel_hysteresis", "0.4")
      try fixture.loop.settle()
      let count = fixture.samples.count
      hub.deliver([20, -1024, 0])
      let reads = try Reads(of: mock.path(of: "in_accel_x_raw"))
      hub.deliver([512, -900, 0])
      try fixture.await("the movement, after where it began") { fixture.samples.count >= count + 2 }
      try awaitAttribute("buffer/enable", "0")
      mock.set(700, -700, 0)
      try awaitSample(700)
      #expect(reads.takeAny())
      source.stop()
      try fixture.loop.settle()
    }

    @Test func `a sensor is lost and found with its device`() throws {
      let source = try start(.following)
      try awaitSample(0)
      try MockAccelerometer.change("remove")
      try fixture.await("the loss") { fixture.losses.count == 1 }
      #expect(fixture.losses[0].contains("it is used again as soon as it is back"))
      #expect(fixture.failure?.code == .sensorRemoved)
      source.recheck()
      try MockAccelerometer.change("add")
      try fixture.await("the sensor again") { fixture.finds.count == 2 }
      #expect(fixture.failure == nil)
      let count = fixture.samples.count
      try fixture.await("samples") { fixture.samples.count > count }
      source.stop()
      #expect(fixture.losses.count == 1)
    }

    @Test func `udev reports a sensor that nobody reads`() throws {
      let source = try start()
      try fixture.await("the sensor") { fixture.finds.count == 1 }
      try MockAccelerometer.change("remove")
      try fixture.await("the loss") { fixture.losses.count == 1 }
      try fixture.loop.runPending()
      #expect(fixture.loop.nextTimer == nil, "nothing is expected of its reader")
      try MockAccelerometer.change("add")
      try fixture.await("the sensor again") { fixture.finds.count == 2 }
      source.stop()
    }

    /// A search after the first would come within a second.
    @Test func `where there is no sensor none is searched for`() throws {
      let source = try startWithoutSensor()
      let end = EventLoop.now + 3_000_000_000
      try fixture.await("three seconds") { EventLoop.now > end }
      #expect(fixture.finds.isEmpty)
      source.demand(.off)
      source.demand(.resting)
      try fixture.await("the sensor") { fixture.finds.count == 1 }
      source.stop()
    }

    @Test func `a sensor that udev cannot report is searched for`() throws {
      let source = try startWithoutSensor(hasUdev: false)
      try fixture.await("the sensor") { fixture.finds.count == 1 }
      source.stop()
    }

    private func startWithoutSensor(hasUdev: Bool = true) throws -> IIOAccelerometer {
      let devices = "\(MockAccelerometer.root)/sys/bus/iio/devices"
      try #require(rename(devices, devices + ".aside") == 0)
      defer { rename(devices + ".aside", devices) }
      let source = try start(.resting, hasUdev: hasUdev)
      try fixture.await("the loss") { fixture.failure?.code == .sensorNone }
      return source
    }

    @Test func `without demand a sensor is read once`() throws {
      let source = try start()
      try fixture.await("the sensor") { fixture.finds.count == 1 }
      let reads = try Reads(of: mock.path(of: "in_accel_x_raw"))
      source.recheck()
      let others = try SourceFixture()
      let other = IIOAccelerometer(loop: fixture.loop, usesBuffer: false, notice: others.note)
      try other.start(others.record)
      try fixture.await("the other") { others.finds.count == 1 }
      other.stop()
      _ = reads.takeAny()
      try fixture.loop.settle()
      #expect(!reads.takeAny() && fixture.finds.count == 1 && fixture.samples.isEmpty)
      source.stop()
    }

    /// Rest takes ten seconds.
    @Test(arguments: [("in_accel_y_raw", SensorDemand.following), ("in_accel_scale", nil)])
    func `a hub that hangs after rest is reported`(attribute: String, demand: SensorDemand?) throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05"])
      let source = try start(.resting, silenceStep: 1_000_000_000)
      try awaitAttribute("in_accel_hysteresis", "0.4")
      try fixture.loop.settle()
      try mock.leasing(attribute) {
        if let demand { source.demand(demand) } else { source.recheck() }
        try fixture.await("the silence") { fixture.losses.count == 1 }
      }
      source.stop()
      withExtendedLifetime(hub) {}
    }

    @Test func `a first search that hangs is reported`() throws {
      let source = try start(silenceStep: 1_000_000_000)
      try fixture.await("the sensor") { fixture.finds.count == 1 }
      source.stop()
      try mock.leasing("in_accel_scale") {
        try source.start(fixture.record)
        try fixture.await("the silence") { fixture.losses.count == 1 }
        #expect(fixture.losses[0].contains("the accelerometer of this device has not answered"))
        source.stop()
      }
    }

    /// Rest takes ten seconds. The reader may see only the last of several demands.
    @Test(arguments: [[SensorDemand.following], [.off, .following]])
    func `a demand ends the mode in which a hub reports changes`(demands: [SensorDemand]) throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05"])
      let source = try start(.resting)
      try awaitAttribute("in_accel_hysteresis", "0.4")
      if demands.count == 1 { mock.set(700, -700, 0) }
      for demand in demands { source.demand(demand) }
      if demands.count == 1 { try awaitSample(700) }
      try awaitAttribute("in_accel_hysteresis", "0.05")
      source.stop()
      withExtendedLifetime(hub) {}
    }

    @Test func `a buffer that appears later is used after a search`() throws {
      let source = try start(.following)
      try awaitSample(0)
      let buffer = try MockBuffer(of: mock)
      source.recheck()
      try awaitAttribute("buffer/enable", "1")
      source.stop()
      withExtendedLifetime(buffer) {}
    }

    @Test func `an unusable mount matrix is reported once`() throws {
      try mock.with("mount_matrix", "1, 0") {
        let source = try start(.following)
        try awaitSample(0)
        source.recheck()
        let count = fixture.samples.count
        try fixture.await("samples after the search") { fixture.samples.count >= count + 3 }
        source.stop()
      }
      #expect(fixture.notices.count == 1 && fixture.notices[0].contains("\"1, 0\", cannot be used"))
    }

    @Test func `a missing accelerometer of the settings is reported`() throws {
      var settings = AccelerometerSettings()
      settings.device = "none"
      let source = IIOAccelerometer(loop: fixture.loop, settings, notice: fixture.note)
      try source.start(fixture.record)
      try fixture.await("another sensor") { fixture.finds.count == 1 }
      source.stop()
      #expect(fixture.notices.count == 1 && fixture.notices[0].contains("no accelerometer is called “none”"))
    }

    @Test func `a sensor whose driver becomes invalid is lost for that reason`() throws {
      let source = try start(.following)
      try awaitSample(0)
      try mock.with("in_accel_scale", "x") {
        source.recheck()
        try fixture.await("the loss") { fixture.losses.count == 1 }
      }
      #expect(fixture.losses[0].contains("its accel_x scale is \"x\""))
      source.recheck()
      try fixture.await("the sensor again") { fixture.finds.count == 2 }
      source.stop()
    }

    /// It was measured before it was delivered.
    @Test func `a sample of the buffer has the time of its measurement`() throws {
      let buffer = try MockBuffer(of: mock)
      let source = try start(.following)
      try awaitAttribute("buffer/enable", "1")
      var sent: [Int] = []
      var deliveries: [Int64] = []
      try fixture.await("a sample from before its delivery") {
        let isEarly = fixture.samples.contains { acceleration, moment in
          let raw = Int((acceleration.x / 0.00958).rounded())
          return sent.firstIndex(of: raw).map { moment.nanoseconds < deliveries[$0] } ?? false
        }
        guard !isEarly, sent.count < 300 else { return isEarly }
        sent.append(100 + sent.count)
        deliveries.append(EventLoop.now)
        buffer.deliver([Int16(99 + sent.count), 0, 0], at: Self.wallClock - 100_000_000)
        return false
      }
      source.stop()
    }

    /// Nanoseconds.
    private static var wallClock: Int64 {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test func `a reader that hangs is reported and then found again`() throws {
      let source = try start(.following, silenceStep: 1_000_000_000)
      try awaitSample(0)
      let name = fixture.finds[0]
      try mock.hanging("in_accel_y_raw") {
        try fixture.await("the silence") { fixture.losses.count == 1 }
      }
      #expect(fixture.losses[0].contains("\(name) has not answered for 1 s"))
      try fixture.await("the sensor again") { fixture.finds == [name, name] }
      #expect(fixture.failure == nil && fixture.losses.count == 1)
      source.stop()
      try fixture.loop.settle()
    }
  }
}
