// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
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
