// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The displays, as Mutter's `GetCurrentState` returns them.
nonisolated struct MonitorState: Equatable {
  struct Mode: Equatable {
    /// Mutter's name for it: "1920x1080@60.000".
    var id: String
    /// Pixels, as seen with the device upright: Mutter swaps them on a panel that is mounted sideways.
    var width: Int
    var height: Int
    var isCurrent: Bool
    var isPreferred: Bool
  }

  /// The monitor of one connector.
  struct Monitor: Equatable {
    /// Connector, vendor, product and serial number.
    var identity: [String]
    var modes: [Mode]
    var properties: [String: Value]

    var connector: String { identity[0] }
    var currentMode: Mode? { modes.first(where: \.isCurrent) }
  }

  /// A part of the desktop, and the monitors that show it: several of them mirror each other.
  struct LogicalMonitor: Equatable {
    var x: Int
    var y: Int
    var scale: Double
    /// As in `wl_output.transform`: in steps of 90° anticlockwise, with 4 added for a flipped image.
    var transform: UInt32
    var isPrimary: Bool
    var connectors: [String]
  }

  /// The unit of positions.
  enum LayoutMode: UInt32 {
    /// Pixels divided by the scale.
    case logical = 1
    case physical = 2
  }

  /// Changes with the hardware, not with the configuration.
  var serial: UInt32
  var monitors: [Monitor]
  /// In the order in which the Shell numbers them.
  var logicalMonitors: [LogicalMonitor]
  var layoutMode: LayoutMode
  /// Whether `ApplyMonitorsConfig` accepts a layout mode.
  var canChangeLayoutMode: Bool

  subscript(connector name: String) -> Monitor? {
    monitors.first { $0.connector == name }
  }

  /// The index of the logical monitor of an output; `nil` while it is switched off.
  func index(showing output: String) -> Int? {
    logicalMonitors.firstIndex { $0.connectors.contains(output) }
  }

  /// The rotation of an output; `nil` while it is switched off.
  func rotation(of output: String) -> DisplayTransform? {
    index(showing: output).map { logicalMonitors[$0].rotation }
  }
}

nonisolated extension MonitorState.LogicalMonitor {
  var rotation: DisplayTransform { DisplayTransform.allCases[Int(transform & 3)] }
}

nonisolated extension MonitorState {
  /// Every monitor that is plugged in, in Mutter's order.
  /// - Parameter mount: how the panel on a connector is mounted. Mutter does not report this, and reports modes and
  ///   transforms relative to the upright casing (meta_output_crtc_to_logical_transform): no transform is upright on
  ///   every panel.
  func outputs(mounted mount: (String) -> PanelMount) -> [Output] {
    monitors.map { monitor in
      let mount = mount(monitor.connector)
      let shown = index(showing: monitor.connector).map { logicalMonitors[$0] }
      let mode =
        monitor.currentMode ?? monitor.modes.first(where: \.isPreferred) ?? monitor.modes.first
      let (width, height) = (mode?.width ?? 0, mode?.height ?? 0)
      let isSideways = mount.rawValue & 1 == 1
      return Output(
        name: monitor.connector, isBuiltIn: monitor.isBuiltIn,
        isExternal: Output.isNamedLikeMonitor(monitor.connector), isActive: shown != nil,
        width: isSideways ? height : width, height: isSideways ? width : height,
        transform: (shown?.rotation ?? .none).onPanel(mounted: mount), mount: mount)
    }
  }
}

nonisolated extension DisplayTransform {
  /// The panel's rotation for a transform of Mutter.
  func onPanel(mounted mount: PanelMount) -> Self {
    Self.allCases[Int((rawValue &+ mount.rawValue) & 3)]
  }

  /// Mutter's transform for a rotation of the panel.
  func ofMutter(mounted mount: PanelMount) -> Self {
    Self.allCases[Int((rawValue &- mount.rawValue) & 3)]
  }
}

nonisolated extension MonitorState.Monitor {
  /// As Mutter reports it; older versions do not.
  var isBuiltIn: Bool {
    if let isBuiltIn: Bool = try? properties["is-builtin"]?.read() { return isBuiltIn }
    return Output.isNamedLikePanel(connector)
  }
}
