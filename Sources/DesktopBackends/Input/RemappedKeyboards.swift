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
