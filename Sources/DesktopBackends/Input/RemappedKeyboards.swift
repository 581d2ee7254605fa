// SPDX-License-Identifier: MIT

import Autorotation
package import System

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
    let keyboards = KernelInput.all(in: directory).filter { keyboard in
      keyboard.isKeyboard && names.contains { ApplicationRule.pattern($0, matches: keyboard.name) }
    }
    return Set(keyboards.filter { !devices.includes([$0.name], [$0]) }.map { $0.name.printable() }).sorted()
  }
}

/// The built-in keyboards that stay on in tablet mode because libinput leaves them on.
nonisolated package enum KeyboardsLeftOn {
  package static func names(
    excluding devices: DisabledInput, in directory: String = "/sys/class/input",
    quirks: QuirkDatabase = .installed
  ) -> [String] {
    let keyboards = KernelInput.all(in: directory, quirks: quirks).filter { keyboard in
      keyboard.isKeyboard && keyboard.isBuiltInHardware && keyboard.quirks.staysOnInTabletMode
    }
    return Set(keyboards.filter { !devices.includes([$0.name], [$0]) }.map { $0.name.printable() }).sorted()
  }
}
