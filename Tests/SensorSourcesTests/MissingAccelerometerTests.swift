// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Temporary
import Testing

@testable import SensorSources

/// Uses a copy of the part of sysfs that shows why there is no accelerometer.
struct MissingAccelerometerTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var cause: Message? { MissingDevice(sys: directory.path).accelerometer }

  private func link(_ path: String, to target: String) throws {
    try directory.write("", to: "\(path).made")
    try #require(symlink(directory[target], directory[path]) == 0)
  }

  private func device(_ path: String, _ files: [String: String] = [:], bus: String, driver: String?) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    try directory.write("", to: "devices/\(path)/uevent")
    for (file, text) in files { try directory.write(text, to: "devices/\(path)/\(file)") }
    try link("bus/\(bus)/devices/\(name)", to: "devices/\(path)")
    guard let driver else { return }
    try directory.write("", to: "bus/\(bus)/drivers/\(driver)/uevent")
    try link("bus/\(bus)/drivers/\(driver)/\(name)", to: "devices/\(path)")
    try link("devices/\(path)/driver", to: "bus/\(bus)/drivers/\(driver)")
  }

  private func machine(_ vendor: String, _ family: String = "", _ name: String = "", _ sku: String = "")
    throws
  {
    for (file, text) in [
      ("sys_vendor", vendor), ("product_family", family), ("product_name", name), ("product_sku", sku),
    ]
    where !text.isEmpty {
      try directory.write(text + "\n", to: "class/dmi/id/\(file)")
    }
  }

  @Test func `a machine without a hub has no known cause`() throws {
    try machine("LENOVO")
    #expect(cause == nil)
  }

  /// linux-surface#2144: the kernel looked for ish_ptl_e4c77c1d_73fca7f2_8d4bd421_7cace0d8.bin first.
  @Test func `missing firmware of Panther Lake is named`() throws {
    try machine("Microsoft Corporation", "Surface")
    try device("pci0000:00/0000:00:12.0", ["device": "0xe345\n"], bus: "pci", driver: "intel_ish_ipc")
    let text = try #require(cause?.description)
    #expect(text.contains("ish_ptl_e4c77c1d_73fca7f2.bin") && text.contains("ish_ptl_e4c77c1d.bin"))
  }

  /// firmware-lenovo#551, #618: Lunar Lake.
  @Test func `all strings of the machine are in the longest name`() throws {
    try machine("LENOVO", "ThinkPad X1 2-in-1 Gen 10", "21NVCTO1WW", "LENOVO_MT_21NV")
    try device("pci0000:00/0000:00:12.0", ["device": "0xa845\n"], bus: "pci", driver: "intel_ish_ipc")
    let text = try #require(cause?.description)
    #expect(
      text.contains("ish_lnlm_53c4ffad_cb391961_68a03b71_24694052.bin")
        && text.contains("ish_lnlm_53c4ffad.bin"))
  }

  @Test func `a vendor alone makes a name`() throws {
    try machine("LENOVO")
    try device("pci0000:00/0000:00:12.0", ["device": "0xa845\n"], bus: "pci", driver: "intel_ish_ipc")
    #expect(cause?.description.contains("for ish_lnlm_53c4ffad.bin, and") == true)
  }

  @Test func `without a vendor there is no name`() throws {
    try machine("", "Surface")
    try device("pci0000:00/0000:00:12.0", ["device": "0xe345\n"], bus: "pci", driver: "intel_ish_ipc")
    let text = try #require(cause?.description)
    #expect(text.contains("reports no sensors") && !text.contains(".bin"))
  }

  @Test func `an older hub has its firmware from the BIOS`() throws {
    try machine("LENOVO")
    try device("pci0000:00/0000:00:13.0", ["device": "0x9d35\n"], bus: "pci", driver: "intel_ish_ipc")
    let text = try #require(cause?.description)
    #expect(text.contains("reports no sensors") && !text.contains(".bin"))
  }

  @Test func `a hub with a sensor below it is no cause`() throws {
    let hub = "pci0000:00/0000:00:12.0"
    try device(hub, ["device": "0xa845\n"], bus: "pci", driver: "intel_ish_ipc")
    let sensor = "\(hub)/001F:8087:0AC2.0001/HID-SENSOR-200073.1.auto"
    try device(sensor, bus: "platform", driver: "hid_sensor_accel_3d")
    #expect(cause == nil)
  }

  @Test func `an AMD hub without sensors is named`() throws {
    try device("pci0000:00/0000:04:00.7", bus: "pci", driver: "pcie_mp2_amd")
    #expect(cause?.description.contains("(amd_sfh) reports no sensors") == true)
  }

  /// firmware-lenovo#551: SNSL0028.
  @Test func `a hub of another driver is named with both drivers`() throws {
    let hub = "platform/i2c-SNSL0028:00/0018:2C2F:0028.0002"
    try device(
      hub, ["report_descriptor": "\u{05}\u{0D}\u{09}\u{04}\u{05}\u{20}"], bus: "hid", driver: "hid-multitouch"
    )
    let text = try #require(cause?.description)
    #expect(
      text.contains("/sys/bus/hid/drivers/hid-multitouch/unbind") && text.contains("0018:2C2F:0028.0002"))
  }

  @Test func `a touchscreen of that driver is no hub`() throws {
    // A constant of 0x20 in an item of four bytes, and in a long one.
    let other = "\u{05}\u{0D}\u{27}\u{05}\u{20}\u{01}\u{00}"
    try device(
      "platform/i2c-X/0018:04F3:0001.0001", ["report_descriptor": other], bus: "hid", driver: "hid-multitouch"
    )
    #expect(cause == nil)
  }

  @Test func `a hub whose sensors are listed has its driver`() throws {
    try device("x/HID-SENSOR-200041.1.auto", bus: "platform", driver: "hid_sensor_als")
    try device(
      "y/0018:2C2F:0028.0002", ["report_descriptor": "\u{05}\u{20}"], bus: "hid", driver: "hid-multitouch")
    #expect(cause == nil)
  }

  @Test func `a device without a report descriptor is no hub`() throws {
    try device("x/0018:04F3:0001.0001", bus: "hid", driver: "hid-generic")
    #expect(cause == nil)
  }

  @Test(arguments: [nil, "hid-generic"]) func `a hub without its driver needs hid-sensor-hub`(driver: String?)
    throws
  {
    try device("x/0018:2C2F:0028.0002", ["report_descriptor": "\u{05}\u{20}"], bus: "hid", driver: driver)
    #expect(cause?.next.map { "\($0)" }?.contains("modprobe hid-sensor-hub") == true)
  }

  @Test func `an accelerometer without its driver needs hid-sensor-accel-3d`() throws {
    try device("x/HID-SENSOR-200073.1.auto", bus: "platform", driver: nil)
    #expect(cause?.next.map { "\($0)" }?.contains("modprobe hid-sensor-accel-3d") == true)
  }

  /// MrChromebox/firmware#879.
  @Test func `a Chromebook's firmware has to name the embedded controller`() throws {
    try machine("Google")
    #expect(cause?.description.contains("GOOG0004") == true)
    try device("LNXSYSTM:00/GOOG0004:00", bus: "acpi", driver: nil)
    #expect(cause == nil)
  }

  @Test(arguments: ["", "\u{1}\u{1B}[2J", String(repeating: "x", count: 5000)])
  func `strings of a broken firmware do no harm`(vendor: String) throws {
    try machine(vendor, vendor, vendor, vendor)
    try device("pci0000:00/0000:00:12.0", ["device": "0xa845\n"], bus: "pci", driver: "intel_ish_ipc")
    let text = try #require(cause?.description)
    #expect(!text.contains("\u{1B}") && text.count < 1000)
  }

  @Test(arguments: [[], [0xFE], [0xFE, 0xFF], [0x06, 0x20], [0x07, 0x20, 0, 0]] as [[UInt8]])
  func `a descriptor that is cut off ends where it ends`(bytes: [UInt8]) {
    #expect(MissingDevice.hasSensorPage(bytes) == (bytes.count == 4 || bytes == [0x06, 0x20]))
  }

  @Test(
    arguments: [
      ([0x05, 0x20], true), ([0x05, 0x21], false), ([0x09, 0x20], false), ([0x01, 0x05, 0x20], false),
      ([0x04, 0x05, 0x20], true), ([0x05, 0x01, 0x05, 0x20], true), ([0x26, 0x05, 0x20, 0x05, 0x20], true),
      ([0x27, 5, 0x20, 5, 0x20, 0x05, 0x20], true), ([0x26, 0x05, 0x20, 0x05], false),
      ([0x27, 0, 0, 5, 0x20, 0x01], false), ([0x06, 0x20, 0x01], false), ([0x07, 0x20, 0, 0, 0], true),
      ([0xFE, 2, 0, 5, 0x20, 0x05, 0x20], true), ([0xFE, 2, 0, 5, 0x20], false),
      ([0xFE, 0, 0, 0x05, 0x20], true),
    ] as [([UInt8], Bool)])
  func `items of every size are skipped`(bytes: [UInt8], hasPage: Bool) {
    #expect(MissingDevice.hasSensorPage(bytes) == hasPage)
  }

  // MARK: Button arrays

  /// Framework 12: soc_button_array before pinctrl_tigerlake.
  @Test func `a button array before its pin controller gets advice`() throws {
    try device("x/ACPI0011:00", bus: "platform", driver: nil)
    #expect(MissingDevice(sys: directory.path).buttonArray == nil)
    try directory.write("live\n", to: "module/pinctrl_tigerlake/initstate")
    let next = MissingDevice(sys: directory.path).buttonArray?.next.map { "\($0)" }
    #expect(next?.contains("softdep soc_button_array pre: pinctrl_tigerlake") == true)
  }

  @Test func `only the module of a pin controller can come too late`() throws {
    try device("x/INT33D3:00", bus: "platform", driver: nil)
    try directory.write("live\n", to: "module/i915/initstate")
    try directory.write("", to: "module/pinctrl_intel/parameters/built-in")
    #expect(MissingDevice(sys: directory.path).buttonArray == nil)
    try directory.write("live\n", to: "module/pinctrl_cherryview/initstate")
    let next = MissingDevice(sys: directory.path).buttonArray?.next.map { "\($0)" }
    #expect(next?.contains("pre: pinctrl_cherryview") == true)
  }

  @Test func `a button array with a driver lacks nothing`() throws {
    try device("x/ACPI0011:00", bus: "platform", driver: "soc_button_array")
    try directory.write("live\n", to: "module/pinctrl_tigerlake/initstate")
    #expect(MissingDevice(sys: directory.path).buttonArray == nil)
  }
}
