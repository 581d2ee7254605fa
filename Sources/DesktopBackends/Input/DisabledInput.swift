// SPDX-License-Identifier: MIT

import Autorotation
package import System

/// The input devices to disable in tablet mode. Never touchscreens, pens, or parts of a graphics tablet, even if named.
nonisolated package struct DisabledInput: Equatable, Sendable {
  /// Stands for the built-in keyboards, touchpads and pointing sticks, except those that libinput leaves on in tablet mode.
  package static let automatic = "auto"

  /// Names (on X11 as in `xinput list --name-only`), case-insensitive; `*` and `?` match any text and any character.
  private let names: [String]
  private let hasBuiltIn: Bool

  /// - Parameter names: `automatic` may be among them.
  package init(names: [String] = [automatic]) {
    self.names = names.filter { $0 != Self.automatic }
    hasBuiltIn = names.contains(Self.automatic)
  }

  /// - Parameters:
  ///   - names: all names of the device, of which one has to match.
  ///   - kernelDevices: the kernel devices that it may stand for; empty if they are unknown.
  func includes(_ names: [String], _ kernelDevices: [KernelInput]) -> Bool {
    guard kernelDevices.allSatisfy({ !$0.isTouchscreenOrPen }) else { return false }
    if hasBuiltIn, !kernelDevices.isEmpty, kernelDevices.allSatisfy(\.isOffInTabletPosture) { return true }
    return names.contains { name in
      self.names.contains { ApplicationRule.pattern($0, matches: name) }
    }
  }
}

/// The virtual keyboards of key remapping programs. They forward the built-in keyboard, so disabling only that has no effect.
nonisolated package enum RemappedKeyboards {
  /// Names used by keyd, kanata, kmonad, input-remapper, xremap, evremap and the Interception Tools.
  private static let names = [
    "keyd virtual *", "*kanata*", "*kmonad*", "input-remapper *", "*xremap*", "evremap *", "*(interception)*",
  ]

  /// - Returns: the names of those that are not among the disabled devices.
  package static func names(
    excluding devices: DisabledInput, in directory: String = "/sys/class/input"
  ) -> [String] {
    KernelInput.all(in: directory).keyboards(excluding: devices) { keyboard in
      names.contains { ApplicationRule.pattern($0, matches: keyboard.name) }
    }
  }
}

/// The built-in keyboards that stay on in tablet mode because libinput leaves them on.
nonisolated package enum KeyboardsLeftOn {
  package static func names(
    excluding devices: DisabledInput, in directory: String = "/sys/class/input",
    quirks: QuirkDatabase = .installed
  ) -> [String] {
    KernelInput.all(in: directory, quirks: quirks).keyboards(excluding: devices) {
      $0.isBuiltInHardware && $0.quirks.staysOnInTabletMode
    }
  }
}

nonisolated extension [KernelInput] {
  /// The names of the keyboards for which `isWanted` holds.
  fileprivate func keyboards(excluding devices: DisabledInput, where isWanted: (KernelInput) -> Bool)
    -> [String]
  {
    let found = filter { $0.isKeyboard && isWanted($0) && !devices.includes([$0.name], [$0]) }
    return Set(found.map { $0.name.printable() }).sorted()
  }
}
