// SPDX-License-Identifier: MIT

import System

/// The kernel's driver behind an output.
nonisolated package enum GraphicsDriver {
  /// - Parameter connector: as the kernel names it, too; the display system of a person may have names of its own.
  /// - Returns: "i915"; `nil` if the kernel knows no connector of this name.
  package static func name(of connector: String, in directory: String = "/sys/class/drm")
    -> String?
  {
    guard !connector.contains("/"),
      let card = SystemFile.names(in: directory).sorted().first(where: { $0.hasSuffix("-\(connector)") }),
      let told = SystemFile.text(of: "\(directory)/\(card)/device/device/uevent")
    else { return nil }
    let key = "DRIVER="
    return told.split(separator: "\n").first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
  }
}
