// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// Why the kernel lacks a device that the machine may have, as far as sysfs shows it. Nothing here needs root.
nonisolated package struct MissingDevice {
  let sys: String

  /// - Parameter sys: where sysfs is mounted.
  package init(sys: String = "/sys") {
    self.sys = sys
  }

  /// Why there is no accelerometer, with the next step; `nil` if no known cause applies.
  package var accelerometer: Message? {
    if let sensor = withoutDriver ?? onWrongDriver { return sensor }
    if hubWithoutSensors(of: "pcie_mp2_amd") != nil { return withoutSensors(driver: "amd_sfh") }
    return intelHub ?? chromebook
  }

  // MARK: HID sensors

  /// "HID-SENSOR-200073.1.auto": one for each sensor of a hub, by its HID usage.
  private var hidSensors: [String] { names("bus/platform/devices").filter { $0.hasPrefix("HID-SENSOR-") } }

  /// HID usage 0x73 of the sensor page: an accelerometer of three axes.
  private var withoutDriver: Message? {
    let accelerometer = hidSensors.first { $0.hasPrefix("HID-SENSOR-200073") }
    guard let accelerometer, driver(of: "bus/platform/devices/\(accelerometer)") == nil else { return nil }
    return Message(
      .sensorNone, "no accelerometer: the driver of the sensor hub's accelerometer is not loaded",
      next: "run `sudo modprobe hid-sensor-accel-3d`; if there is no such module, install the "
        + "kernel package that has it")
  }

  private var onWrongDriver: Message? {
    guard hidSensors.isEmpty else { return nil }
    let hub = names("bus/hid/devices").sorted().first { isSensorHub("bus/hid/devices/\($0)") }
    guard let hub else { return nil }
    let name = hub.printable(limit: 64)
    switch driver(of: "bus/hid/devices/\(hub)") {
    case nil, "hid-generic":
      return Message(
        .sensorNone, "no accelerometer: the driver of the sensor hub \(name) is not loaded",
        next: "run `sudo modprobe hid-sensor-hub`; if there is no such module, install the kernel "
          + "package that has it")
    case "hid-sensor-hub": return nil
    case let driver?:
      return Message(
        .sensorNone,
        "no accelerometer: the sensor hub \(name) is bound to the driver \(driver) instead of hid-sensor-hub",
        next: "as root, write its name to /sys/bus/hid/drivers/\(driver)/unbind, then to "
          + "/sys/bus/hid/drivers/hid-sensor-hub/bind, and report it to linux-input@vger.kernel.org")
    }
  }

  private func isSensorHub(_ device: String) -> Bool {
    let descriptor = SystemFile.bytes(of: "\(sys)/\(device)/report_descriptor", maximumBytes: 4096)
    return descriptor.map(Self.hasSensorPage) ?? false
  }

  /// Whether an item of a HID report descriptor names the usage page of sensors, 0x20 (HID 1.11, 6.2.2).
  static func hasSensorPage(_ descriptor: [UInt8]) -> Bool {
    var rest = descriptor[...]
    while let prefix = rest.popFirst() {
      // The size of a long item follows the prefix.
      let isLong = prefix == 0xFE
      let size = isLong ? rest.first.map { Int($0) + 2 } ?? 0 : [0, 1, 2, 4][Int(prefix & 3)]
      let value = rest.prefix(size)
      if !isLong, prefix & 0xFC == 0x04, value.first == 0x20, value.dropFirst().allSatisfy({ $0 == 0 }) {
        return true
      }
      rest = rest.dropFirst(size)
    }
    return false
  }

  // MARK: Hubs without sensors

  /// Lunar Lake and later boot their hub from a file, and Intel's own file does not fit most machines.
  private var intelHub: Message? {
    guard let hub = hubWithoutSensors(of: Self.intelDriver) else { return nil }
    let device = SystemFile.line(of: "\(sys)/bus/pci/devices/\(hub)/device") ?? ""
    return Self.generations[device].flatMap(firmware).map(withoutFirmware)
      ?? withoutSensors(driver: Self.intelDriver)
  }

  private static let intelDriver = "intel_ish_ipc"

  /// By PCI device, from drivers/hid/intel-ish-hid/ipc/pci-ish.c.
  private static let generations = ["0xa845": "lnlm", "0xe345": "ptl", "0xe445": "ptl"]

  /// The names are made from DMI strings; drivers/hid/intel-ish-hid/ishtp/loader.c tries the longest first.
  /// - Returns: the longest and the shortest one.
  private func firmware(_ generation: String) -> (longest: String, shortest: String)? {
    let strings = ["sys_vendor", "product_family", "product_name", "product_sku"].map {
      SystemFile.line(of: "\(sys)/class/dmi/id/\($0)") ?? ""
    }
    guard !strings[0].isEmpty else { return nil }
    let sums = strings.filter { !$0.isEmpty }.map { Self.crc32($0).hexadecimal }
    let name = { (sums: ArraySlice<String>) in "ish_\(generation)_\(sums.joined(separator: "_")).bin" }
    return (name(sums[...]), name(sums.prefix(1)))
  }

  private func withoutFirmware(longest: String, shortest: String) -> Message {
    Message(
      .sensorNone,
      "no accelerometer: the sensor hub lacks the vendor's firmware; the kernel searches "
        + "/lib/firmware/intel/ish for \(longest), and for shorter names down to \(shortest)",
      next:
        "update linux-firmware; if it has no such file, ask the vendor for it (the driver for Windows has it, as a "
        + ".bin file of the Integrated Sensor Solution)")
  }

  private func withoutSensors(driver: String) -> Message {
    Message(
      .sensorNone, "no accelerometer: the sensor hub (\(driver)) reports no sensors",
      next: "its firmware comes with the BIOS: update the BIOS, and check `sudo dmesg` for messages "
        + "of \(driver)")
  }

  /// CRC-32 as of Ethernet: reflected polynomial 0xEDB88320, initial value and final XOR of all ones.
  static func crc32(_ string: String) -> UInt32 {
    var sum: UInt32 = .max
    for byte in string.utf8 {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
    }
    return ~sum
  }

  /// The PCI device of a hub below which there is no sensor.
  private func hubWithoutSensors(of driver: String) -> String? {
    let hub = names("bus/pci/drivers/\(driver)").sorted().first { $0.contains(":") }
    guard let hub, let path = SystemFile.realPath("\(sys)/bus/pci/devices/\(hub)") else { return nil }
    let hasSensor = hidSensors.contains {
      SystemFile.realPath("\(sys)/bus/platform/devices/\($0)")?.hasPrefix("\(path)/") == true
    }
    return hasSensor ? nil : hub
  }

  // MARK: Chromebooks

  private var isChromebookWithoutController: Bool {
    SystemFile.line(of: "\(sys)/class/dmi/id/sys_vendor")?.lowercased() == "google"
      && !names("bus/acpi/devices").contains { $0.hasPrefix("GOOG0004") }
  }

  private var chromebook: Message? {
    guard isChromebookWithoutController else { return nil }
    return Message(
      .sensorNone,
      "no accelerometer: the firmware does not describe the embedded controller (GOOG0004) that has a Chromebook's sensors",
      next: "update the firmware, for instance MrChromebox's")
  }

  // MARK: sysfs

  func names(_ directory: String) -> [String] { SystemFile.names(in: "\(sys)/\(directory)") }

  func driver(of device: String) -> String? {
    SystemFile.linkName(of: "\(sys)/\(device)/driver")?.printable(limit: 64)
  }
}
