// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import CSystemd
import Glibc
import System

/// An input device that may tell of the posture, before it is opened.
struct PostureCandidate: Equatable {
  /// "/dev/input/event6".
  let path: String
  /// "Intel HID switches".
  let name: String
  /// "intel-hid"; empty if the kernel does not say.
  let driver: String
  let switches: SwitchSet
  /// Whether the settings name it, and it has keys that tell of folding.
  let hasKeys: Bool

  var tellsOfFolding: Bool { hasKeys || switches.contains(.tablet) }

  var witnesses: [PostureWitness] {
    kinds.map { PostureWitness(kind: $0, name: name, driver: driver, node: path) }
  }

  private var kinds: [PostureWitness.Kind] {
    (switches.contains(.tablet) ? [.tabletSwitch] : []) + (switches.contains(.docked) ? [.dock] : [])
      + (hasKeys ? [.keys] : [])
  }

  /// - Parameters:
  ///   - on: the switches that are on.
  ///   - keys: what its keys said last.
  func word(of kind: PostureWitness.Kind, on: SwitchSet, keys: Posture) -> Posture {
    switch kind {
    case .tabletSwitch: on.contains(.tablet) ? .tablet : .laptop
    case .dock: on.contains(.docked) ? .docked : .unknown
    case .keys: keys
    case .keyboard, .hand: .unknown
    }
  }

  /// Those of its switches that are on; `nil` if they cannot be read.
  func switchStates(of descriptor: Int32) -> SwitchSet? {
    guard !switches.isEmpty else { return [] }
    let states = evdev_switch_states(descriptor)
    return states < 0 ? nil : SwitchSet(rawValue: UInt(states)).intersection(switches)
  }

  /// All that the kernel has now. The kernel is asked directly, so that this works without udev too.
  static func all(_ choice: TabletSwitchChoice = .automatic) -> [Self] {
    InputDevices.all.compactMap { Self($0, choice) }
  }

  private init?(_ device: InputDevices.Device, _ choice: TabletSwitchChoice) {
    path = device.path
    name = device.name
    driver = device.driver
    switches = SwitchSet(capabilities: device.capabilities("sw"))
    hasKeys = Self.tellsByKeys(device, choice) && !switches.contains(.tablet)
    guard hasKeys || !switches.isEmpty else { return nil }
  }

  /// Keys are another's business, unless the settings name the device.
  private static func tellsByKeys(_ device: InputDevices.Device, _ choice: TabletSwitchChoice) -> Bool {
    guard case .named(let name) = choice else { return false }
    let witness = PostureWitness(kind: .keys, name: device.name, driver: device.driver, node: device.path)
    return witness.isCalled(name) && FoldingKey.allCases.contains { device.hasKey($0.code) }
  }
}

/// The keys by which firmware tells of folding: they stand for "touchpad on" and "touchpad off" elsewhere. F21, which
/// some send beside them at each turn, says nothing of the direction.
enum FoldingKey: CaseIterable {
  case unfolded, folded

  var code: Int {
    switch self {
    case .unfolded: Int(KEY_F22)
    case .folded: Int(KEY_F23)
    }
  }

  var posture: Posture { self == .folded ? .tablet : .laptop }
}

/// The event devices of the kernel.
enum InputDevices {
  struct Device {
    let path: String
    let name: String
    let driver: String
    fileprivate let attributes: [String: String]

    /// The kernel's bit mask in hexadecimal words, the highest first.
    func capabilities(_ kind: String) -> String { attributes[kind] ?? "" }

    func hasKey(_ code: Int) -> Bool {
      let words = capabilities("key").split(whereSeparator: \.isWhitespace).reversed().map {
        UInt($0, radix: 16) ?? 0
      }
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
    let kinds = ["sw", "key"].map { ($0, attribute("capabilities/\($0)", of: input) ?? "") }
    return Device(
      path: String(cString: path), name: attribute("name", of: input)?.printable() ?? String(cString: path),
      driver: driver(of: input), attributes: Dictionary(uniqueKeysWithValues: kinds))
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
