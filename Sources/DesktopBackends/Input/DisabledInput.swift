// SPDX-License-Identifier: MIT

import Autorotation
package import System

/// The input devices to disable in tablet mode. Never touchscreens, pens, or parts of a graphics tablet, even if named.
nonisolated package struct DisabledInput: Equatable, Sendable {
  /// Stands for the built-in keyboards, touchpads and pointing sticks,
  /// except those that libinput leaves on in tablet mode.
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

  /// Names used by keyd, kanata, kmonad, input-remapper, xremap, evremap and the Interception Tools.
  private static let remappers = [
    "keyd virtual *", "*kanata*", "*kmonad*", "input-remapper *", "*xremap*", "evremap *", "*(interception)*",
  ]

  /// The names of the virtual keyboards of key remapping programs that are not among these devices. They forward the
  /// built-in keyboard, so disabling only that has no effect.
  package func remappedKeyboards(in directory: String = KernelInput.usualDirectory) -> [String] {
    keyboards(KernelInput.all(in: directory)) { keyboard in
      Self.remappers.contains { ApplicationRule.pattern($0, matches: keyboard.name) }
    }
  }

  /// The names of the built-in keyboards that stay on in tablet mode because libinput leaves them on.
  package func keyboardsLeftOn(
    in directory: String = KernelInput.usualDirectory, quirks: QuirkDatabase = .installed
  ) -> [String] {
    keyboards(KernelInput.all(in: directory, quirks: quirks)) {
      $0.isBuiltInHardware && $0.quirks.staysOnInTabletMode
    }
  }

  /// The names of the keyboards for which `isWanted` holds, and that are not among these devices.
  private func keyboards(_ all: [KernelInput], where isWanted: (KernelInput) -> Bool) -> [String] {
    let found = all.filter { $0.isKeyboard && isWanted($0) && !includes([$0.name], [$0]) }
    return Set(found.map { $0.name.printable() }).sorted()
  }
}
