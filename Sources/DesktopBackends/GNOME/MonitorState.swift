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

  struct Monitor: Equatable {
    /// Connector, vendor, product and serial number.
    var identity: [String]
    var modes: [Mode]
    var properties: [String: Value]

    var connector: String { identity[0] }
    var currentMode: Mode? { modes.first(where: \.isCurrent) }
    /// As Mutter reports it; older versions do not.
    var isBuiltIn: Bool { (try? properties["is-builtin"]?.read()) ?? Output.isNamedLikePanel(connector) }
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

    var rotation: DisplayTransform { DisplayTransform.allCases[Int(transform & 3)] }
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

  subscript(connector name: String) -> Monitor? { monitors.first { $0.connector == name } }

  /// The index of the logical monitor of an output; `nil` while it is switched off.
  func index(showing output: String) -> Int? {
    logicalMonitors.firstIndex { $0.connectors.contains(output) }
  }

  /// The rotation of an output; `nil` while it is switched off.
  func rotation(of output: String) -> DisplayTransform? {
    index(showing: output).map { logicalMonitors[$0].rotation }
  }

  /// Every monitor that is plugged in, in Mutter's order.
  /// - Parameter mount: how the panel on a connector is mounted. Mutter does not report this, and reports modes and
  ///   transforms relative to the upright casing (meta_output_crtc_to_logical_transform): no transform is upright on
  ///   every panel.
  func outputs(mounted mount: (String) -> PanelMount) -> [Output] {
    monitors.map { monitor in
      let mount = mount(monitor.connector)
      let shown = index(showing: monitor.connector).map { logicalMonitors[$0] }
      let mode = monitor.currentMode ?? monitor.modes.first(where: \.isPreferred) ?? monitor.modes.first
      let (width, height) = (mode?.width ?? 0, mode?.height ?? 0)
      let isSideways = mount.rawValue & 1 == 1
      return Output(
        name: monitor.connector, isBuiltIn: monitor.isBuiltIn,
        isExternal: Output.isNamedLikeMonitor(monitor.connector), isActive: shown != nil,
        x: shown?.x ?? 0, y: shown?.y ?? 0, width: isSideways ? height : width,
        height: isSideways ? width : height,
        // Physical layouts are in pixels.
        scale: layoutMode == .physical ? 1 : shown?.scale ?? 1,
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

/// Why an answer to `GetCurrentState` is invalid.
nonisolated struct InvalidState: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

nonisolated extension MonitorState {
  /// The types of the answer: serial, monitors, logical monitors, properties of the whole.
  static let types = ["u", "a((ssss)a(siiddada{sv})a{sv})", "a(iiduba(ssss)a{sv})", "a{sv}"]

  /// - Parameter values: the answer.
  /// - Throws: what is wrong with it: an `InvalidState`, or a `BusError` for a value of another type.
  init(_ values: [Value]) throws {
    let types = values.map(\.typeSignature)
    guard types == Self.types else { throw InvalidState("it has the type “\(types.joined())”") }
    let properties = try values.read(3, as: [String: Value].self)
    serial = try values.read(0)
    monitors = try values[1].elements.map(Monitor.init(_:))
    logicalMonitors = try values[2].elements.map(LogicalMonitor.init(_:))
    let mode = try properties["layout-mode"]?.read() ?? LayoutMode.physical.rawValue
    guard let layoutMode = LayoutMode(rawValue: mode) else {
      throw InvalidState("its layout mode is \(mode)")
    }
    self.layoutMode = layoutMode
    canChangeLayoutMode = try properties["supports-changing-layout-mode"]?.read() ?? false
    let (names, shown) = (monitors.map(\.connector), logicalMonitors.flatMap(\.connectors))
    guard names.count <= 64, Set(names).count == names.count, Set(shown).count == shown.count,
      logicalMonitors.allSatisfy(isPlausible)
    else { throw InvalidState("it describes impossible monitors") }
  }

  /// Whether its monitors show a mode, and its numbers are within limits that no hardware exceeds: sums of them do not
  /// overflow.
  private func isPlausible(_ logical: LogicalMonitor) -> Bool {
    let (pixels, places) = (1...65_535, -1_000_000...1_000_000)
    let modes = logical.connectors.map { self[connector: $0]?.currentMode }
    return !modes.isEmpty
      && modes.allSatisfy { $0.map { pixels.contains($0.width) && pixels.contains($0.height) } ?? false }
      && places.contains(logical.x) && places.contains(logical.y)
      && (0.1...100).contains(logical.scale) && logical.transform <= 7
  }
}

nonisolated extension MonitorState.Monitor {
  fileprivate init(_ value: Value) throws {
    let members = value.members
    identity = try members[0].members.map { try $0.read() }
    modes = try members[1].elements.map(MonitorState.Mode.init(_:))
    properties = try members.read(2)
  }
}

nonisolated extension MonitorState.Mode {
  fileprivate init(_ value: Value) throws {
    let members = value.members
    let properties: [String: Value] = try members.read(6)
    id = try members.read(0)
    width = Int(try members.read(1, as: Int32.self))
    height = Int(try members.read(2, as: Int32.self))
    isCurrent = try properties["is-current"]?.read() ?? false
    isPreferred = try properties["is-preferred"]?.read() ?? false
  }
}

nonisolated extension MonitorState.LogicalMonitor {
  fileprivate init(_ value: Value) throws {
    let members = value.members
    x = Int(try members.read(0, as: Int32.self))
    y = Int(try members.read(1, as: Int32.self))
    scale = try members.read(2)
    transform = try members.read(3)
    isPrimary = try members.read(4)
    connectors = try members[5].elements.map { try $0.members.read(0) }
  }
}

nonisolated extension Value {
  fileprivate var elements: [Value] {
    if case .array(_, let elements) = self { elements } else { [] }
  }

  fileprivate var members: [Value] {
    if case .structure(let members) = self { members } else { [] }
  }
}
