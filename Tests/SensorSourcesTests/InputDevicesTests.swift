// SPDX-License-Identifier: MIT

import Foundation
import System
import Temporary
import Testing

@testable import SensorSources

@Suite("input devices")
@MainActor
struct InputDevicesTests {
  /// - Parameter files: of the kernel, below the device.
  private func device(_ files: [String: String]) throws -> KernelInput {
    let directory = try TemporaryDirectory()
    for (name, text) in files.merging(["name": "Device"], uniquingKeysWith: { $1 }) {
      try directory.write(text + "\n", to: "event3/device/\(name)")
    }
    return try #require(KernelInput.all(in: directory.path, quirks: nil).first)
  }

  @Test(arguments: [
    (
      "lis3lv02d, without the property",
      ["id/bustype": "0019", "capabilities/abs": "7", "capabilities/ev": "9"], true
    ),
    (
      "one with the property",
      ["id/bustype": "0019", "capabilities/abs": "3", "capabilities/ev": "9", "properties": "40"], true
    ),
    ("one without a bus", ["capabilities/abs": "7", "capabilities/ev": "9"], true),
    (
      "a game controller's",
      ["id/bustype": "0003", "capabilities/abs": "3f", "capabilities/ev": "19", "properties": "40"], false
    ),
    (
      "a Bluetooth controller's",
      ["id/bustype": "0005", "capabilities/abs": "3f", "capabilities/ev": "19", "properties": "40"], false
    ),
    (
      "a joystick of two axes", ["id/bustype": "0019", "capabilities/abs": "3", "capabilities/ev": "9"], false
    ),
    (
      "a pen with pressure",
      ["id/bustype": "0018", "capabilities/abs": "1000007", "capabilities/ev": "b", "properties": "2"], false
    ),
    ("nothing", [:], false),
    ("nonsense", ["id/bustype": "x", "capabilities/abs": "zz", "capabilities/ev": "-1"], false),
  ])
  func `accelerometers are found`(_ name: String, _ attributes: [String: String], _ isOne: Bool) throws {
    #expect(try device(attributes).isAccelerometer == isOne, "\(name)")
  }

  @Test func `the identity of a device is read`() throws {
    let numbers = ["id/bustype": "0003", "id/vendor": "045e", "id/product": "09c0", "id/version": "0111"]
    let known = try device(numbers)
    #expect([known.bus, known.vendor, known.product, known.version] == [3, 0x045e, 0x09c0, 0x0111])
    let unknown = try device([:])
    #expect(unknown.name == "Device")
    #expect([unknown.bus, unknown.vendor, unknown.product, unknown.version] == [0, 0, 0, 0])
  }

  @Test func `the driver is that of the nearest parent device`() throws {
    let directory = try TemporaryDirectory()
    let place = "sys/i2c-7/0018:04F3/input/input5"
    try directory.write("Device\n", to: "\(place)/name")
    try directory.makeDirectory("class/event3")
    let link = { (path: String, target: String) in
      try FileManager.default.createSymbolicLink(atPath: directory[path], withDestinationPath: target)
    }
    try link("class/event3/device", "../../\(place)")
    let driver = { KernelInput.all(in: directory["class"], quirks: nil).map(\.driver) }
    #expect(driver() == [""])
    try link("sys/i2c-7/driver", "../../bus/i2c/drivers/i2c_designware")
    #expect(driver() == ["i2c_designware"])
    try link("sys/i2c-7/0018:04F3/driver", "../../../bus/hid/drivers/hid-multitouch")
    #expect(driver() == ["hid-multitouch"])
  }
}
