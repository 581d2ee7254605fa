// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The layout with some displays rotated, complete before it is sent, since Mutter refuses gaps, overlaps, and a
/// layout that does not begin at 0,0.
extension MonitorState {
  /// - Throws: why they cannot be rotated.
  func rotating(_ rotations: [PanelRotation], visited: ArrangementHistory) throws(Message) -> Self {
    var target = self
    var applied: [PanelRotation] = []
    for rotation in rotations {
      guard self[connector: rotation.output] != nil else {
        throw .noSuchOutput(rotation.output, among: monitors.map(\.connector))
      }
      guard let index = index(showing: rotation.output) else {
        throw .switchedOff(rotation.output, next: "switch it on in Settings, under Displays")
      }
      // A flipped image stays flipped.
      let flip = logicalMonitors[index].transform & 4
      target.logicalMonitors[index].transform = flip | UInt32(rotation.transform.rawValue)
      applied.append(PanelRotation(logicalMonitors[index].name, to: rotation.transform))
    }
    let places = visited.places(of: logicalMonitors.map(placedDisplay), rotating: applied)
    for (index, place) in places.enumerated() {
      target.logicalMonitors[index].x = place.x
      target.logicalMonitors[index].y = place.y
    }
    return target
  }

  /// The arguments of `ApplyMonitorsConfig` after serial and method: everything that the state contains and the call
  /// accepts, so that a rotation changes nothing else.
  var configuration: [Value] {
    var properties: [String: Value] = [:]
    if canChangeLayoutMode { properties["layout-mode"] = .uint32(layoutMode.rawValue) }
    // Monitors that are leased to another program, such as a headset.
    let lent = monitors.filter { $0.properties["is-for-lease"] == .bool(true) }
    if !lent.isEmpty {
      let identities = lent.map { Value.structure($0.identity.map(Value.string)) }
      properties["monitors-for-lease"] = .array(of: "(ssss)", identities)
    }
    return [.array(of: "(iiduba(ssa{sv}))", logicalMonitors.map(configuration)), .dictionary(properties)]
  }

  private func placedDisplay(_ logical: LogicalMonitor) -> PlacedDisplay {
    let mode = logical.connectors.first.flatMap { self[connector: $0]?.currentMode }
    let (wide, high) = (mode?.width ?? 0, mode?.height ?? 0)
    let (width, height) = logical.rotation.swapsSides ? (high, wide) : (wide, high)
    let rectangle = ScreenRectangle(
      x: logical.x, y: logical.y, width: units(width, logical.scale), height: units(height, logical.scale))
    return PlacedDisplay(name: logical.name, rectangle: rectangle, rotation: logical.rotation)
  }

  /// As Mutter computes it, with single precision and rounding: one unit more would be an overlap.
  private func units(_ pixels: Int, _ scale: Double) -> Int {
    layoutMode == .physical ? pixels : Int((Float(pixels) / Float(scale)).rounded())
  }

  private func configuration(of logical: LogicalMonitor) -> Value {
    let monitors = logical.connectors.compactMap { self[connector: $0]?.configuration }
    return .structure([
      .int32(Int32(logical.x)), .int32(Int32(logical.y)), .double(logical.scale),
      .uint32(logical.transform), .bool(logical.isPrimary), .array(of: "(ssa{sv})", monitors),
    ])
  }
}

extension MonitorState.LogicalMonitor {
  /// Monitors that mirror each other share one name.
  fileprivate var name: String { connectors.joined(separator: " ") }
}

extension MonitorState.Monitor {
  /// Properties by their names in the state and in the configuration. One that is left out falls back to its default.
  private static let keptProperties = [
    "is-underscanning": "underscanning", "color-mode": "color-mode", "rgb-range": "rgb-range",
  ]

  fileprivate var configuration: Value? {
    guard let currentMode else { return nil }
    var kept: [String: Value] = [:]
    for (old, new) in Self.keptProperties { kept[new] = properties[old] }
    return .structure([.string(connector), .string(currentMode.id), .dictionary(kept)])
  }
}
