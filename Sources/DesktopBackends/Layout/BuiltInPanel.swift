// SPDX-License-Identifier: MIT

package import Autorotation
import CDRM
import Glibc
import System

extension Output {
  /// Whether a connector has a name that the kernel and X drivers use only for built-in panels.
  nonisolated static func isNamedLikePanel(_ name: String) -> Bool {
    ["eDP", "LVDS", "DSI", "DPI"].contains(where: name.hasPrefix)
  }

  /// Whether a connector has a name that the kernel or X drivers use for external monitors. `Virtual-1`, `HEADLESS-1`
  /// or `default` is neither.
  nonisolated static func isNamedLikeMonitor(_ name: String) -> Bool {
    !isNamedLikePanel(name) && monitorPrefixes.contains(where: name.hasPrefix)
  }

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

nonisolated extension PanelMount {
  /// How the panel on a connector is mounted, from the kernel's table of machines (drm_panel_orientation_quirks.c);
  /// `nil` if it is no built-in panel, or the DRM device cannot be read.
  init?(ofConnector name: String, in directory: String = "/dev/dri") {
    let parts = name.split(separator: "-")
    guard parts.count == 2, let type = Self.panelTypes[parts[0]], let number = UInt32(parts[1]) else {
      return nil
    }
    let found = SystemFile.names(in: directory).filter { $0.hasPrefix("card") }.sorted().lazy.compactMap {
      Self.orientation(of: type, number, on: "\(directory)/\($0)")
    }
    guard let mount = found.first else { return nil }
    self = mount
  }

  /// The connector types of built-in panels, with the numbers of the kernel's drm_mode.h.
  private static let panelTypes: [Substring: UInt32] = ["LVDS": 7, "eDP": 14, "DSI": 16, "DPI": 17]

  /// DRM's connector property "panel orientation".
  private static func orientation(of type: UInt32, _ connector: UInt32, on path: String) -> Self? {
    let card = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard card >= 0 else { return nil }
    defer { close(card) }
    let orientation = drm_panel_orientation(card, type, connector)
    return [0: .topUp, 1: .upsideDown, 2: .leftSideUp, 3: .rightSideUp][orientation]
  }
}

/// The panel mount of each connector from the kernel, cached since it never changes. A read that fails is repeated: the
/// session may open the card only once it is active.
nonisolated package struct KernelPanelMounts {
  private let read: (String) -> PanelMount?
  private var cache: [String: PanelMount] = [:]

  package init(read: @escaping (String) -> PanelMount? = { PanelMount(ofConnector: $0) }) {
    self.read = read
  }

  mutating func mount(of connector: String) -> PanelMount {
    if let mount = cache[connector] { return mount }
    cache[connector] = read(connector)
    return cache[connector] ?? .topUp
  }

  /// The mount of the first panel that is connected, where no display system names it; `nil` if it cannot be read.
  package static func ofFirstPanel(
    in directory: String = "/sys/class/drm", read: (String) -> PanelMount? = { PanelMount(ofConnector: $0) }
  ) -> PanelMount? {
    let connected = SystemFile.names(in: directory).sorted().filter {
      SystemFile.line(of: "\(directory)/\($0)/status") == "connected"
    }
    // "card0-eDP-1"
    return connected.compactMap { name in read(String(name.drop { $0 != "-" }.dropFirst())) }.first
  }

  /// The outputs, with the mount of built-in panels where the display system does not report it.
  mutating func completing(_ outputs: [Output]) -> [Output] {
    outputs.map { output in
      var output = output
      if output.isBuiltIn, output.mount == .topUp { output.mount = mount(of: output.name) }
      return output
    }
  }
}
