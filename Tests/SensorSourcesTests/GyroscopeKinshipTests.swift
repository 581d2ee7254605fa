// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import SensorSources

@Suite struct GyroscopeKinshipTests {
  private typealias Relative = GyroscopeKinship.Relative

  private static let hub = "/sys/devices/pci0000:00/0000:00:12.0/0018:048D:8350.0001"
  private static let accelerometer = relative("iio:device0", "\(hub)/HID-SENSOR-200073.1.auto")

  private static func relative(
    _ id: String, _ parent: String, label: String? = nil, location: String? = nil, isInJoypad: Bool = false
  ) -> Relative {
    Relative(
      candidate: AccelerometerCandidate(id: id, label: label, location: location, isInJoypad: isInJoypad),
      path: "\(parent)/\(id)")
  }

  private static func kinship(_ gyroscope: Relative, of other: Relative = accelerometer) -> GyroscopeKinship?
  {
    GyroscopeKinship(gyroscope, of: other)
  }

  @Test func ofTheSameDevice() {
    #expect(Self.kinship(Self.accelerometer) == .device)
    var unknown = Self.accelerometer
    unknown.path = nil
    #expect(Self.kinship(unknown, of: unknown) == .device)
  }

  @Test func ofTheSameChip() {
    let chip = "/sys/devices/platform/soc/i2c-1/1-006a"
    let accelerometer = Self.relative("iio:device1", chip)
    #expect(Self.kinship(Self.relative("iio:device2", chip), of: accelerometer) == .chip)
  }

  @Test func ofTheSameHub() {
    #expect(Self.kinship(Self.relative("iio:device1", "\(Self.hub)/HID-SENSOR-200076.2.auto")) == .hub)
  }

  @Test(arguments: [
    "/sys/devices/platform/soc/i2c-1", "/sys/devices/platform", "/sys/devices/platform/soc/spi0",
  ])
  func aBusIsNoHub(_ bus: String) {
    let accelerometer = Self.relative("iio:device0", "\(bus)/first")
    #expect(Self.kinship(Self.relative("iio:device1", "\(bus)/second"), of: accelerometer) == nil)
  }

  @Test func ofTheSamePlace() {
    let gyroscope = Self.relative("iio:device4", "/sys/devices/elsewhere/a", location: "lid")
    #expect(Self.kinship(gyroscope) == .place)
    #expect(!GyroscopeKinship.place.sharesMount)
  }

  @Test func thatOfTheBaseOrOfAJoypadIsNone() {
    let hub = "\(Self.hub)/HID-SENSOR-200076.2.auto"
    #expect(Self.kinship(Self.relative("iio:device1", hub, label: "accel-base")) == nil)
    #expect(Self.kinship(Self.relative("iio:device1", hub, isInJoypad: true)) == nil)
  }

  @Test func ofNothingInCommon() {
    #expect(Self.kinship(Self.relative("iio:device1", "/sys/devices/elsewhere/a")) == nil)
    let nowhere = Relative(candidate: AccelerometerCandidate(id: "iio:device1"))
    #expect(Self.kinship(nowhere) == nil)
    #expect(Self.kinship(nowhere, of: Relative(candidate: AccelerometerCandidate(id: "iio:device0"))) == nil)
  }

  @Test func theNearestGoesFirst() {
    #expect([GyroscopeKinship.hub, .place, .device, .chip].sorted() == [.device, .chip, .place, .hub])
  }
}

@Suite struct GyroscopeMountTests {
  private static let own = MountMatrixChoice.Candidate(
    source: "its own", text: "-1, 0, 0; 0, -1, 0; 0, 0, 1")
  private static let broken = MountMatrixChoice.Candidate(source: "broken", text: "1, 0")

  private static func mount(
    _ candidates: [MountMatrixChoice.Candidate], _ kinship: GyroscopeKinship, isOverridden: Bool = false
  ) -> MountMatrixChoice {
    let source: Phrase = "the accelerometer's"
    let quarter = MountMatrix(text: "0, -1, 0; 1, 0, 0; 0, 0, 1") ?? .identity
    return .ofGyroscope(
      candidates, kinship,
      accelerometer: MountMatrixChoice(matrix: quarter, source: source, problems: []),
      isOverridden: isOverridden)
  }

  @Test func itsOwnGoesFirst() {
    #expect(Self.mount([Self.own], .device).source.description == "its own")
    #expect(Self.mount([Self.own], .place).source.description == "its own")
  }

  @Test func withoutOneThatOfTheAccelerometerIsTaken() {
    #expect(Self.mount([], .device).source.description == "the accelerometer's")
    #expect(Self.mount([], .hub).source.description == "the accelerometer's")
    #expect(Self.mount([], .place).matrix == .identity)
  }

  @Test func whatCannotBeUsedIsToldAndLeftOut() {
    #expect(Self.mount([Self.broken], .device).source.description == "the accelerometer's")
    #expect(Self.mount([Self.broken], .device).problems.count == 1)
    #expect(Self.mount([Self.broken, Self.own], .device).source.description == "its own")
  }

  @Test func whatAPersonSaysHoldsForTheWholeChip() {
    #expect(Self.mount([Self.own], .device, isOverridden: true).source.description == "the accelerometer's")
    #expect(Self.mount([Self.own], .place, isOverridden: true).source.description == "its own")
  }
}
