// SPDX-License-Identifier: MIT

import Autorotation
import CEvdev
import Glibc
import System

/// An input device that may report the posture, before it is opened.
struct PostureCandidate: Equatable {
  /// "/dev/input/event6".
  let path: String
  /// "Intel HID switches".
  let name: String
  /// "intel-hid"; empty if unknown.
  let driver: String
  let switches: Set<PostureSwitch>
  /// Whether the settings name it, and it has keys for folding.
  let hasKeys: Bool

  var reportsFolding: Bool { hasKeys || switches.contains(.tablet) }

  var inputs: [PostureInput] {
    let kinds: [(PostureInput.Kind, Bool)] = [
      (.tabletSwitch, switches.contains(.tablet)), (.dock, switches.contains(.docked)), (.keys, hasKeys),
    ]
    return kinds.filter(\.1).map { PostureInput(kind: $0.0, name: name, driver: driver, node: path) }
  }

  /// - Parameters:
  ///   - on: the switches that are on.
  ///   - keys: the posture of the key pressed last.
  func reading(of kind: PostureInput.Kind, on: Set<PostureSwitch>, keys: Posture) -> Posture {
    switch kind {
    case .tabletSwitch: on.contains(.tablet) ? .tablet : .laptop
    case .dock: on.contains(.docked) ? .docked : .unknown
    case .keys: keys
    case .keyboard, .user: .unknown
    }
  }

  /// Those of its switches that are on; `nil` if they cannot be read.
  func switchStates(of descriptor: Int32) -> Set<PostureSwitch>? {
    guard !switches.isEmpty else { return [] }
    let states = evdev_switch_states(descriptor)
    return states < 0 ? nil : switches.filter { states >> $0.rawValue & 1 == 1 }
  }

  /// All devices of the kernel, read from sysfs, so that this also works without udev.
  static func all(_ choice: TabletSwitchChoice = .automatic) -> [Self] {
    KernelInput.all(quirks: nil).compactMap { Self($0, choice) }
  }

  /// - Returns: `nil` for a device that cannot report the posture.
  init?(_ device: KernelInput, _ choice: TabletSwitchChoice, _ quirks: QuirkDatabase = .installed) {
    path = device.node
    name = device.shownName
    driver = device.driver.printable()
    let all = PostureSwitch.all(in: device.switches)
    switches = Self.isIgnored(device, choice, quirks) ? all.subtracting([.tablet]) : all
    hasKeys = Self.reportsByKeys(device, choice) && !switches.contains(.tablet)
    guard hasKeys || !switches.isEmpty else { return nil }
  }

  /// The devices whose tablet switch libinput marks as unreliable, except one that the settings name.
  static func ignored(_ choice: TabletSwitchChoice) -> [PostureInput] {
    KernelInput.all(quirks: nil).filter { isIgnored($0, choice, .installed) }.map { $0.input(.tabletSwitch) }
  }

  private static func isIgnored(
    _ device: KernelInput, _ choice: TabletSwitchChoice, _ quirks: QuirkDatabase
  ) -> Bool {
    guard device.switches.contains(PostureSwitch.tablet.rawValue) else { return false }
    if case .named(let name) = choice, device.input(.tabletSwitch).matches(name) { return false }
    return quirks.quirks(of: device).isTabletSwitchUnreliable
  }

  /// Keys are read only of the device that the settings name.
  private static func reportsByKeys(_ device: KernelInput, _ choice: TabletSwitchChoice) -> Bool {
    guard case .named(let name) = choice else { return false }
    let keys = FoldingKey.allCases.map(\.rawValue)
    return device.input(.keys).matches(name) && !device.keys.isDisjoint(with: keys)
  }
}

extension KernelInput {
  fileprivate var shownName: String { name.isEmpty ? node : name.printable() }

  fileprivate func input(_ kind: PostureInput.Kind) -> PostureInput {
    PostureInput(kind: kind, name: shownName, driver: driver.printable(), node: node)
  }
}

/// The kernel's switches that report the posture: SW_LID, SW_TABLET_MODE and SW_DOCK of linux/input-event-codes.h.
nonisolated enum PostureSwitch: Int, CaseIterable {
  case lidClosed = 0, tablet = 1, docked = 5

  static func all(in codes: KernelInput.BitSet) -> Set<Self> {
    Set(allCases.filter { codes.contains($0.rawValue) })
  }
}

/// The keys that some firmware sends for folding; elsewhere they mean "touchpad on" and "touchpad off". F21, which some
/// firmware also sends on each folding, does not depend on the direction.
nonisolated enum FoldingKey: Int, CaseIterable {
  /// KEY_F22 and KEY_F23 of linux/input-event-codes.h.
  case unfolded = 192, folded = 193

  var posture: Posture { self == .folded ? .tablet : .laptop }
}
