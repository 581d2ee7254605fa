// SPDX-License-Identifier: MIT

package import Autorotation

extension Output {
  /// Whether a connector has a name that the kernel and X drivers use only for built-in panels.
  nonisolated static func isNamedLikePanel(_ name: String) -> Bool {
    ["eDP", "LVDS", "DSI", "DPI"].contains(where: name.hasPrefix)
  }

  /// Whether a connector has a name that the kernel or X drivers use for external monitors. `Virtual-1`, `HEADLESS-1` or
  /// `default` is neither.
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
  /// The output that touchscreens and pens lie on: the rotated one, even if it is off.
  nonisolated package func panelName(chosen: OutputChoice) -> String? {
    let panels = panels(chosen: chosen)
    return (panels.first(where: \.isActive) ?? panels.first)?.name ?? chosen.names.first
  }
}
