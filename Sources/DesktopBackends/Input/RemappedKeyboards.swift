// SPDX-License-Identifier: MIT

import Autorotation
package import System

/// The keyboards that programs for other keys make. They type for the built-in one, so that it is off without effect.
nonisolated package enum RemappedKeyboards {
  /// As keyd, kanata, kmonad, input-remapper, xremap, evremap and the Interception Tools call theirs.
  private static let names = [
    "keyd virtual *", "*kanata*", "*kmonad*", "input-remapper *", "*xremap*", "evremap *", "*(interception)*",
  ]

  /// - Returns: the names of those that stay on where these are off.
  package static func spared(
    by devices: DisabledInput, in directory: String = "/sys/class/input"
  ) -> [String] {
    let keyboards = KernelInput.all(in: directory).filter { keyboard in
      keyboard.isKeyboard && names.contains { ApplicationRule.pattern($0, matches: keyboard.name) }
    }
    return Set(keyboards.filter { !devices.includes([$0.name], [$0]) }.map { $0.name.printable() }).sorted()
  }
}

/// The built-in keyboards that stay on in tablet posture, since libinput leaves them on.
nonisolated package enum KeyboardsLeftOn {
  package static func names(
    beside devices: DisabledInput, in directory: String = "/sys/class/input",
    quirks: QuirkDatabase = .installed
  ) -> [String] {
    let keyboards = KernelInput.all(in: directory, quirks: quirks).filter { keyboard in
      keyboard.isKeyboard && keyboard.isBuiltInHardware && keyboard.quirks.staysOnInTabletMode
    }
    return Set(keyboards.filter { !devices.includes([$0.name], [$0]) }.map { $0.name.printable() }).sorted()
  }
}
