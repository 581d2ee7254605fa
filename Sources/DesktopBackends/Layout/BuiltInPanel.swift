// SPDX-License-Identifier: MIT

import Autorotation

extension Output {
  /// Whether a connector has one of the kernel's names for those that only built-in panels have.
  nonisolated static func isNamedLikePanel(_ name: String) -> Bool {
    ["eDP", "LVDS", "DSI", "DPI"].contains(where: name.hasPrefix)
  }
}

extension [Output] {
  /// The output that touchscreens and pens lie on: the one of the settings, else the built-in panel, be it dark, else
  /// the only one that is lit.
  nonisolated func panelName(chosen: String?) -> String? {
    if let chosen { return chosen }
    let builtIn = filter(\.isBuiltIn)
    if let panel = builtIn.first(where: \.isActive) ?? builtIn.first { return panel.name }
    let lit = filter(\.isActive)
    return lit.count == 1 ? lit.first?.name : nil
  }
}
