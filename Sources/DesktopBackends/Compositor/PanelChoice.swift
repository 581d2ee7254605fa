// SPDX-License-Identifier: MIT

import Autorotation

/// Which of a compositor's outputs is the device's own panel.
enum PanelChoice {
  /// What the kernel calls the connectors of built-in panels.
  static func isBuiltIn(_ name: String) -> Bool {
    ["eDP-", "LVDS-", "DSI-", "DPI-"].contains { name.hasPrefix($0) }
  }

  /// The output that touchscreens and pens lie on: the chosen one, else the built-in one, else the only one.
  static func name(among outputs: [Output], chosen: String?) -> String? {
    if let chosen { return chosen }
    let lit = outputs.filter(\.isActive)
    return (lit.first(where: \.isBuiltIn) ?? (lit.count == 1 ? lit.first : nil))?.name
  }
}
