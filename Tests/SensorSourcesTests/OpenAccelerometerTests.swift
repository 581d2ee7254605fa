// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

extension IIOAccelerometerTests {
  /// The attributes of a driver, through libiio.
  @MainActor @Suite struct Opening {
    private let mock = MockAccelerometer()

    init() {
      mock.set(100, -1024, 50)
    }

    private func open(_ change: (inout AccelerometerSettings) -> Void = { _ in }) throws(Message)
      -> OpenAccelerometer
    {
      var settings = AccelerometerSettings()
      change(&settings)
      return try OpenAccelerometer(.display, settings)
    }

    @Test(arguments: [(nil, 1.0), ("1", 1), ("0.5", 0.5), ("-2", -2)] as [(String?, Double)])
    func `values are scaled if the driver says so`(text: String?, scale: Double) throws {
      try mock.with("in_accel_scale", text) {
        let read = try open().read()
        #expect(read == Acceleration(x: 100 * scale, y: -1024 * scale, z: 50 * scale))
      }
    }

    @Test func `an offset is added before the scale`() throws {
      try mock.with("in_accel_offset", "24") {
        try mock.with("in_accel_scale", "0.5") {
          let read = try open().read()
          #expect(read == Acceleration(x: 62, y: -500, z: 37))
        }
      }
    }

    @Test(arguments: ["0", "nan", "inf", "x"])
    func `an unusable scale is named`(text: String) throws {
      try mock.with("in_accel_scale", text) {
        let error = #expect(throws: Message.self) { try open() }
        #expect(error?.code == .sensorInvalidValues)
        #expect(error?.description.contains("its accel_x scale is \"\(text)\"") == true)
      }
    }

    @Test func `a value beyond all numbers is invalid`() throws {
      try mock.with("in_accel_scale", "1e308") {
        let sensor = try open()
        let error = #expect(throws: Message.self) { try sensor.read() }
        #expect(error?.code == .sensorInvalidValues)
      }
    }

    /// Of nine long fractions.
    @Test func `a long mount matrix is read whole`() throws {
      let number = { (digit: Int) in "\(digit)." + String(repeating: "0", count: 20) }
      let rows = [[0, -1, 0], [1, 0, 0], [0, 0, 1]].map { $0.map(number).joined(separator: ", ") }
      try mock.with("mount_matrix", rows.joined(separator: "; ")) {
        let mount = try open().identity.mount
        #expect(mount.problems.isEmpty && mount.origin == .kernel)
        #expect(mount.matrix(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -2, y: 1, z: 3))
      }
    }

    /// Each axis of the panel may come from another one of the sensor, with any factor.
    @Test(arguments: [
      "0, -2, 0; 1, 0, 0; 0, 0, 1", "0.8, -0.6, 0; 0.6, 0.8, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 1",
    ])
    func `single axes are read in the frame of the panel`(matrix: String) throws {
      let sensor = try open { $0.mountMatrix = MountMatrix(text: matrix) }
      let (all, known) = (try sensor.read(), Acceleration(x: 1, y: 2, z: 3))
      let read = try sensor.read([.x], beside: known)
      #expect(read.x == all.x)
      let isSingle = sensor.identity.mount.matrix.source(of: .x) != nil
      #expect([read.y, read.z] == (isSingle ? [known.y, known.z] : [all.y, all.z]))
    }

    @Test(arguments: [(nil, false), ("iio:device0", false), ("iio:device*", false), ("none", true)])
    func `a missing name is reported`(name: String?, isMissing: Bool) throws {
      let missing = try open { $0.device = name }.missingDevice
      #expect((missing?.code == .sensorDeviceMissing) == isMissing && (missing == nil) == !isMissing)
      var settings = AccelerometerSettings()
      settings.device = name
      #expect(try AccelerometerInspection.inspect(settings).missingDevice == missing)
    }

    @Test(arguments: [("0", false), ("1", true)])
    func `doctor sees whether the buffer is on`(enabled: String, isStreaming: Bool) throws {
      let buffer = try MockBuffer(of: mock, attributes: ["buffer/enable": enabled])
      let found = try AccelerometerInspection.inspect()
      #expect(found.isStreaming == isStreaming && found.title.hasSuffix("(iio:device0)"))
      #expect(found.base == nil && found.gyroscope == nil && found.missingDevice == nil)
      withExtendedLifetime(buffer) {}
    }
  }
}
