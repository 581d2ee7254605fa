// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Testing

@testable import SensorSources

extension IIOAccelerometerTests {
  /// `SampleReader` at times that the test chooses, in nanoseconds.
  @MainActor @Suite struct Quick {
    private static let second: Int64 = 1_000_000_000
    private let mock = MockAccelerometer()
    private let sensor: OpenAccelerometer
    private let upright: [Int16] = [0, -1024, 0]
    private let leftUp: [Int16] = [1024, 0, 0]

    init() throws {
      sensor = try OpenAccelerometer(.display, AccelerometerSettings())
      hold(upright)
    }

    private func hold(_ raw: [Int16]) { mock.set(Int(raw[0]), Int(raw[1]), Int(raw[2])) }

    private func isAt(_ raw: [Int16], _ place: Acceleration?) -> Bool {
      guard let place else { return false }
      return zip([place.x, place.y, place.z], raw).allSatisfy { abs($0 - Double($1) * 0.00958) < 0.001 }
    }

    private func following() -> SampleReader {
      var reading = SampleReader(rate: 50)
      reading.startStream(sensor, nil, at: Self.second)
      return reading
    }

    @Test func `the buffer is read once it delivers`() throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      #expect(reading.isStreaming && !reading.canStartStream)
      #expect(isAt(upright, try reading.read(sensor, nil, at: Self.second)?.0.acceleration))
      buffer.deliver(leftUp)
      #expect(isAt(leftUp, try reading.read(sensor, nil, at: Self.second)?.0.acceleration))
      buffer.deliver([0, 0, 0])
      buffer.deliver([200, 0, 0])
      let mean = try reading.read(sensor, nil, at: 2 * Self.second)
      #expect(isAt([100, 0, 0], mean?.0.acceleration) && mean?.0.magnitudes != nil)
    }

    @Test func `between two samples nothing is read`() throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      buffer.deliver(leftUp)
      _ = try reading.read(sensor, nil, at: Self.second)
      #expect(try reading.read(sensor, nil, at: Self.second + 99_999_999) == nil)
      let late = try reading.read(sensor, nil, at: Self.second + 100_000_000)
      #expect(isAt(upright, late?.0.acceleration) && late?.1 == 0)
    }

    @Test(arguments: [([0, -1024, 0], 2, true), ([1024, 0, 0], 2, false), ([1024, 0, 0], 1, true)])
    func `a buffer that misses a movement is given up`(place: [Int16], seconds: Int64, isKept: Bool) throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      _ = try reading.read(sensor, nil, at: Self.second)
      hold(place)
      let now = Self.second + seconds * Self.second
      #expect(isAt(place, try reading.read(sensor, nil, at: now)?.0.acceleration))
      #expect(reading.isStreaming == isKept && !reading.canStartStream)
      reading.reset()
      #expect(!reading.isStreaming && reading.canStartStream)
      withExtendedLifetime(buffer) {}
    }

    @Test func `what the buffer delivered last is compared`() throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      _ = try reading.read(sensor, nil, at: Self.second)
      buffer.deliver(leftUp)
      _ = try reading.read(sensor, nil, at: 2 * Self.second)
      hold(leftUp)
      _ = try reading.read(sensor, nil, at: 4 * Self.second)
      #expect(reading.isStreaming)
      hold(upright)
      _ = try reading.read(sensor, nil, at: 4 * Self.second)
      #expect(!reading.isStreaming)
    }

    @Test func `a broken buffer is replaced by single values`() throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      buffer.deliver(bytes: [1, 2, 3])
      #expect(isAt(upright, try reading.read(sensor, nil, at: Self.second)?.0.acceleration))
      #expect(!reading.isStreaming && !reading.canStartStream)
      reading.startStream(sensor, nil, at: Self.second)
      #expect(!reading.isStreaming, "it has been given up")
    }

    @Test func `the age is that of the newest sample`() throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      buffer.deliver(leftUp, at: Int64(time.tv_sec) * 1_000_000_000)
      // A clock that was set makes no sense, and counts as now.
      buffer.deliver(leftUp, at: 0)
      #expect(try reading.read(sensor, nil, at: Self.second)?.1 == 0)
    }

    @Test func `rates are enabled only for a gyroscope of the same device`() throws {
      let channels = ["accel", "anglvel"].flatMap { kind in ["x", "y", "z"].map { "\(kind)_\($0)" } }
      let buffer = try MockBuffer(of: mock, channels)
      let reading = following()
      #expect(reading.isStreaming && buffer.attributes["scan_elements/in_anglvel_x_en"] == "0")
    }

    @Test func `single values never give a buffer up`() throws {
      var reading = SampleReader(rate: 50)
      _ = try reading.read(sensor, nil, at: Self.second)
      hold(leftUp)
      _ = try reading.read(sensor, nil, at: 9 * Self.second)
      #expect(reading.canStartStream)
    }

    @Test func `a buffer may be turned off and on`() throws {
      let buffer = try MockBuffer(of: mock)
      var reading = following()
      buffer.deliver(leftUp)
      _ = try reading.read(sensor, nil, at: Self.second)
      reading.stopStream()
      #expect(!reading.isStreaming && reading.canStartStream && mock.text("buffer/enable") == "0")
      reading.startStream(sensor, nil, at: 2 * Self.second)
      #expect(reading.isStreaming && mock.text("buffer/enable") == "1")
      // It has not delivered yet, so the value is read.
      #expect(isAt(upright, try reading.read(sensor, nil, at: 2 * Self.second)?.0.acceleration))
    }

    @Test func `a buffer that another program used is tried again later`() throws {
      let buffer = try MockBuffer(of: mock, attributes: ["buffer/enable": "1"])
      var reading = following()
      #expect(!reading.isStreaming && !reading.canStartStream)
      mock.write("0\n", to: "buffer/enable")
      reading.stopStream()
      reading.startStream(sensor, nil, at: 2 * Self.second)
      #expect(reading.isStreaming)
      withExtendedLifetime(buffer) {}
    }

    @Test func `without a buffer values are read one by one`() throws {
      var reading = following()
      #expect(!reading.isStreaming && !reading.canStartStream)
      #expect(isAt(upright, try reading.read(sensor, nil, at: 9 * Self.second)?.0.acceleration))
      try mock.replacing("in_accel_y_raw") {
        #expect(throws: Message.self) { try reading.read(sensor, nil, at: 9 * Self.second) }
      }
    }

    @Test func `a hub reports changes from rest`() throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05"])
      var reading = SampleReader(rate: 50)
      #expect(reading.canStartOnChangeMode(sensor) && reading.changeDescriptor == nil)
      reading.startOnChangeMode(sensor, at: try sensor.read())
      #expect(reading.isOnChange && reading.changeDescriptor != nil && !reading.canStartOnChangeMode(sensor))
      #expect(isAt(upright, try reading.readOnChange(sensor)), "nothing was missed")
      let interval = reading.checkInterval
      #expect(reading.isOnChange && interval == 240_000_000_000)
      hub.deliver(leftUp)
      #expect(isAt(leftUp, try reading.readOnChange(sensor)))
      #expect(reading.isOnChange && reading.checkInterval == interval)
      #expect(isAt(upright, try reading.readOnChange(sensor)))
      #expect(!reading.isOnChange && !reading.canStartOnChangeMode(sensor), "it has missed a change")
      reading.reset()
      #expect(reading.canStartOnChangeMode(sensor) && mock.text("in_accel_hysteresis") == "0.05")
    }

    @Test func `a hub's newest change is used`() throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05"])
      var reading = SampleReader(rate: 50)
      reading.startOnChangeMode(sensor, at: try sensor.read())
      hub.deliver([500, -900, 0])
      hub.deliver(leftUp)
      #expect(isAt(leftUp, try reading.readOnChange(sensor)))
    }

    @Test func `a hub whose buffer was given up reports no changes`() throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05"])
      var reading = following()
      hub.deliver(bytes: [1, 2, 3])
      _ = try reading.read(sensor, nil, at: Self.second)
      #expect(!reading.canStartOnChangeMode(sensor))
      reading.reset()
      #expect(reading.canStartOnChangeMode(sensor))
    }

    @Test func `a hub that refuses its buffer is distrusted`() throws {
      let unreadable = ["in_accel_hysteresis": "0.05", "scan_elements/in_accel_x_type": "x"]
      let hub = try MockBuffer(of: mock, attributes: unreadable)
      var reading = SampleReader(rate: 50)
      reading.startOnChangeMode(sensor, at: try sensor.read())
      reading.stopStream()
      #expect(!reading.isOnChange && !reading.isStreaming && !reading.canStartOnChangeMode(sensor))
      withExtendedLifetime(hub) {}
    }

    @Test func `a hub whose buffer another program used is tried at the next rest`() throws {
      let hub = try MockBuffer(of: mock, attributes: ["in_accel_hysteresis": "0.05", "buffer/enable": "1"])
      var reading = SampleReader(rate: 50)
      reading.startOnChangeMode(sensor, at: try sensor.read())
      #expect(!reading.isOnChange && !reading.isStreaming && !reading.canStartOnChangeMode(sensor))
      mock.write("0\n", to: "buffer/enable")
      reading.stopStream()
      #expect(reading.canStartOnChangeMode(sensor))
      reading.startOnChangeMode(sensor, at: try sensor.read())
      #expect(reading.isOnChange)
      withExtendedLifetime(hub) {}
    }

    @Test func `a buffer without hysteresis reports no changes`() throws {
      let buffer = try MockBuffer(of: mock)
      #expect(!SampleReader(rate: 50).canStartOnChangeMode(sensor))
      withExtendedLifetime(buffer) {}
    }
  }
}
