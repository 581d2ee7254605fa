// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import CSystemd
import Glibc
import System

/// The event devices of the kernel.
enum InputDevices {
  struct Device {
    let path: String
    let name: String
    let driver: String
    fileprivate let attributes: [String: String]

    /// The kernel's bit mask in hexadecimal words, the highest first; of `properties`, too.
    func capabilities(_ kind: String) -> String { attributes[kind] ?? "" }

    func hasKey(_ code: Int) -> Bool { Self.bit(code, in: capabilities("key")) }

    /// Whether one touches what one sees.
    var isOnScreen: Bool { Self.bit(Int(INPUT_PROP_DIRECT), in: capabilities("properties")) }

    private static func bit(_ code: Int, in mask: String) -> Bool {
      let words = mask.split(whereSeparator: \.isWhitespace).reversed().map { UInt($0, radix: 16) ?? 0 }
      let (place, bit) = code.quotientAndRemainder(dividingBy: UInt.bitWidth)
      return words.indices.contains(place) && words[place] & 1 << UInt(bit) != 0
    }
  }

  /// A device that goes loses its node first, and is told of and listed for a moment more.
  /// - Parameter wanted: a name, where `*` and `?` stand for any text and any character.
  static func isThere(_ wanted: String) -> Bool {
    all.contains { ApplicationRule.pattern(wanted, matches: $0.name) && access($0.path, F_OK) == 0 }
  }

  static var all: [Device] {
    var enumerator: OpaquePointer?
    guard sd_device_enumerator_new(&enumerator) >= 0, let enumerator else { return [] }
    defer { sd_device_enumerator_unref(enumerator) }
    sd_device_enumerator_allow_uninitialized(enumerator)
    sd_device_enumerator_add_match_subsystem(enumerator, "input", 1)
    sd_device_enumerator_add_match_sysname(enumerator, "event*")
    let devices = sequence(
      first: sd_device_enumerator_get_device_first(enumerator),
      next: { $0 == nil ? nil : .some(sd_device_enumerator_get_device_next(enumerator)) })
    return devices.compactMap { $0.flatMap(device) }
  }

  /// - Parameter device: belongs to its enumerator.
  private static func device(_ device: OpaquePointer) -> Device? {
    var path: UnsafePointer<CChar>?
    var input: OpaquePointer?
    guard sd_device_get_devname(device, &path) >= 0, let path,
      sd_device_get_parent(device, &input) >= 0, let input
    else { return nil }
    let files = ["sw": "capabilities/sw", "key": "capabilities/key", "properties": "properties"]
    return Device(
      path: String(cString: path), name: attribute("name", of: input)?.printable() ?? String(cString: path),
      driver: driver(of: input), attributes: files.compactMapValues { attribute($0, of: input) })
  }

  private static func attribute(_ name: String, of device: OpaquePointer) -> String? {
    var value: UnsafePointer<CChar>?
    guard sd_device_get_sysattr_value(device, name, &value) >= 0, let value else { return nil }
    return String(cString: value)
  }

  /// That of the nearest device above which has one.
  private static func driver(of device: OpaquePointer) -> String {
    var place: OpaquePointer? = device
    while let here = place {
      var name: UnsafePointer<CChar>?
      if sd_device_get_driver(here, &name) >= 0, let name { return String(cString: name).printable() }
      var parent: OpaquePointer?
      place = sd_device_get_parent(here, &parent) >= 0 ? parent : nil
    }
    return ""
  }
}
