// SPDX-License-Identifier: MIT

import Autorotation

extension Output {
  /// Whether a connector has one of the names for those that only built-in panels have, the kernel's and X's.
  nonisolated static func isNamedLikePanel(_ name: String) -> Bool {
    ["eDP", "LVDS", "DSI", "DPI"].contains(where: name.hasPrefix)
  }

  /// Whether it has one of the names for those that monitors are plugged into: the kernel's, and those that X drivers
  /// have of their own. `Virtual-1`, `HEADLESS-1` or `default` is neither.
  nonisolated static func isNamedLikeMonitor(_ name: String) -> Bool {
    !isNamedLikePanel(name) && monitorPrefixes.contains(where: name.hasPrefix)
  }
}

extension Output {
  nonisolated private static let monitorPrefixes = [
    "HDMI", "DP", "DisplayPort", "DVI", "VGA", "USB", "TV", "DIN", "CRT", "DFP", "Composite", "Component",
    "SVIDEO", "S-video",
  ]
}

extension [Output] {
  /// The output that touchscreens and pens lie on: the one that is turned, be it dark.
  nonisolated func panelName(chosen: OutputChoice) -> String? {
    let panels = panels(chosen: chosen)
    return (panels.first(where: \.isActive) ?? panels.first)?.name ?? chosen.names.first
  }
}
