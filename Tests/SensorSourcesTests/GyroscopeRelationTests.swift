// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct GyroscopeRelationTests {
  private typealias Sensor = AccelerometerCandidate

  private static let hub = "/sys/devices/pci0000:00/0000:00:12.0/0018:048D:8350.0001"
  private static let accelerometer = sensor("iio:device0", "\(hub)/HID-SENSOR-200073.1.auto")

  private static func sensor(
    _ id: String, _ parent: String, label: String? = nil, location: String? = nil, isInJoypad: Bool = false
  ) -> Sensor {
    Sensor(id: id, label: label, location: location, isInJoypad: isInJoypad, path: "\(parent)/\(id)")
  }

  private static func relation(_ gyroscope: Sensor, of other: Sensor = accelerometer) -> GyroscopeRelation? {
    GyroscopeRelation(gyroscope, of: other)
  }

  @Test func `one device measures both`() {
    #expect(Self.relation(Self.accelerometer) == .device)
    var unknown = Self.accelerometer
    unknown.path = nil
    #expect(Self.relation(unknown, of: unknown) == .device)
  }

  @Test func `two devices of one chip are related`() {
    let chip = "/sys/devices/platform/soc/i2c-1/1-006a"
    let accelerometer = Self.sensor("iio:device1", chip)
    #expect(Self.relation(Self.sensor("iio:device2", chip), of: accelerometer) == .chip)
  }

  @Test func `two sensors of one hub are related`() {
    #expect(Self.relation(Self.sensor("iio:device1", "\(Self.hub)/HID-SENSOR-200076.2.auto")) == .hub)
  }

  @Test(arguments: [
    "/sys/devices/platform/soc/i2c-1", "/sys/devices/platform", "/sys/devices/platform/soc/spi0",
    "/sys/devices/virtual",
  ])
  func `a bus is not a hub`(_ bus: String) {
    let accelerometer = Self.sensor("iio:device0", "\(bus)/first")
    #expect(Self.relation(Self.sensor("iio:device1", "\(bus)/second"), of: accelerometer) == nil)
  }

  @Test(arguments: ["spi-hub", "i2c-GXFP:00", "42"])
  func `a hub may have a name like a bus`(_ name: String) {
    let hub = "/sys/devices/pci0000:00/\(name)"
    let accelerometer = Self.sensor("iio:device0", "\(hub)/first")
    #expect(Self.relation(Self.sensor("iio:device1", "\(hub)/second"), of: accelerometer) == .hub)
  }

  @Test func `sensors of one location are related but mounted separately`() {
    let gyroscope = Self.sensor("iio:device4", "/sys/devices/elsewhere/a", location: "lid")
    #expect(Self.relation(gyroscope) == .place)
    #expect(!GyroscopeRelation.place.sharesMount)
  }

  @Test func `gyroscopes of a base or joypad are not related`() {
    let hub = "\(Self.hub)/HID-SENSOR-200076.2.auto"
    #expect(Self.relation(Self.sensor("iio:device1", hub, label: "accel-base")) == nil)
    #expect(Self.relation(Self.sensor("iio:device1", hub, isInJoypad: true)) == nil)
  }

  @Test func `sensors with nothing in common are not related`() {
    #expect(Self.relation(Self.sensor("iio:device1", "/sys/devices/elsewhere/a")) == nil)
    let nowhere = Sensor(id: "iio:device1")
    #expect(Self.relation(nowhere) == nil)
    #expect(Self.relation(nowhere, of: Sensor(id: "iio:device0")) == nil)
  }

  @Test func `the closest relation comes first`() {
    #expect([GyroscopeRelation.hub, .place, .device, .chip].sorted() == [.device, .chip, .place, .hub])
  }
}

@Suite struct GyroscopeMountTests {
  private static let own = MountMatrixChoice.Candidate(
    source: "its own", text: "-1, 0, 0; 0, -1, 0; 0, 0, 1")
  private static let broken = MountMatrixChoice.Candidate(source: "broken", text: "1, 0")

  private static func mount(
    _ candidates: [MountMatrixChoice.Candidate], _ relation: GyroscopeRelation, isOverridden: Bool = false
  ) -> MountMatrixChoice {
    let source: Phrase = "the accelerometer's"
    let quarter = MountMatrix(text: "0, -1, 0; 1, 0, 0; 0, 0, 1") ?? .identity
    return .ofGyroscope(
      candidates, relation,
      accelerometer: MountMatrixChoice(
        matrix: quarter, origin: isOverridden ? .settings : .none, source: source, problems: []))
  }

  @Test func `the gyroscopes own matrix comes first`() {
    #expect(Self.mount([Self.own], .device).source.description == "its own")
    #expect(Self.mount([Self.own], .place).source.description == "its own")
  }

  @Test func `without its own the accelerometers matrix is used`() {
    #expect(Self.mount([], .device).source.description == "the accelerometer's")
    #expect(Self.mount([], .hub).source.description == "the accelerometer's")
    #expect(Self.mount([], .place).matrix == .identity)
  }

  @Test func `an unusable matrix is reported and skipped`() {
    #expect(Self.mount([Self.broken], .device).source.description == "the accelerometer's")
    #expect(Self.mount([Self.broken], .device).problems.count == 1)
    #expect(Self.mount([Self.broken, Self.own], .device).source.description == "its own")
  }

  @Test func `a configured matrix applies to the whole chip`() {
    #expect(Self.mount([Self.own], .device, isOverridden: true).source.description == "the accelerometer's")
    #expect(Self.mount([Self.own], .place, isOverridden: true).source.description == "its own")
  }
}
