// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import DesktopBackends

/// The panel of an ASUS T101HA: 800x1280, mounted with its right side up, and a sensor in the panel's frame, as corrected by
/// udev's hardware database. Each desktop has to show the same.
@MainActor
struct MountedPanelTests {
  private static let mount = PanelMount.rightSideUp

  /// The sensor's orientation, the orientation of the casing, and the panel's rotation in anticlockwise quarter turns.
  private static let orientations: [(sensor: DeviceOrientation, casing: InterfaceOrientation, turns: Int)] = [
    (.rightUp, .normal, 3), (.normal, .left, 0), (.leftUp, .inverted, 1), (.bottomUp, .right, 2),
  ]

  /// The outputs that each backend reports for this panel unrotated, with the mount from the kernel.
  private static func reported(_ kind: BackendKind) throws -> [Output] {
    var mounts = KernelPanelMounts { $0 == "eDP-1" ? mount : nil }
    let plain = Output(name: "eDP-1", isBuiltIn: true, width: 800, height: 1280)
    switch kind {
    case .x11:
      var output = plain
      output.mount = mount
      return [output]
    case .sway:
      let text = #"{"name": "eDP-1", "active": true, "current_mode": {"width": 800, "height": 1280}}"#
      let value = try #require(JSONValue(text))
      return mounts.completing([try #require(CompositorOutput(sway: value)).output])
    case .hyprland:
      let value = try #require(JSONValue(#"{"name": "eDP-1", "width": 800, "height": 1280, "scale": 1}"#))
      return mounts.completing([try #require(CompositorOutput(hyprland: value)).output])
    case .gnome:
      return try mutter(transform: 1).outputs { mounts.mount(of: $0) }
    default:
      return mounts.completing([plain])
    }
  }

  /// Mutter reports the panel's modes with swapped sides.
  private static func mutter(transform: UInt32) throws -> MonitorState {
    let mode = MonitorState.Mode(
      id: "1280x800@60", width: 1280, height: 800, isCurrent: true, isPreferred: true)
    let panel = MonitorState.Monitor(
      identity: ["eDP-1", "AUO", "T101HA", "0"], modes: [mode], properties: [:])
    let place = MonitorState.LogicalMonitor(
      x: 0, y: 0, scale: 1, transform: transform, isPrimary: true, connectors: ["eDP-1"])
    return MonitorState(
      serial: 1, monitors: [panel], logicalMonitors: [place], layoutMode: .physical,
      canChangeLayoutMode: false)
  }

  @Test(arguments: BackendKind.allCases.filter { $0 != .print })
  func `every desktop shows a panel that is mounted sideways upright`(_ kind: BackendKind) throws {
    let outputs = try Self.reported(kind)
    let output = try #require(outputs.first)
    #expect((output.width, output.height) == (800, 1280))
    #expect(output.naturalAspect == .landscape)
    #expect(output.transform == .none)
    for (sensor, casing, turns) in Self.orientations {
      var machine = Autorotator()
      _ = machine.handle(.sensorFound(name: "accelerometer"), at: Instant(seconds: 0))
      _ = machine.handle(.outputsChanged(outputs), at: Instant(seconds: 0))
      _ = machine.handle(.deviceRotated(sensor), at: Instant(seconds: 0.1))
      let wanted = machine.situation.decide().orientation
      #expect(wanted == casing, "\(sensor)")
      let transform = DisplayTransform(showing: wanted, on: output.mount)
      #expect(Int(transform.rawValue) == turns, "\(sensor)")
    }
  }

  /// Mutter's transforms are relative to the casing.
  @Test func `GNOME gets the rotation relative to the casing`() throws {
    for (_, casing, turns) in Self.orientations {
      let transform = DisplayTransform.allCases[turns]
      #expect(transform.ofMutter(mounted: Self.mount).rawValue == casing.rawValue)
      let seen = try Self.mutter(transform: UInt32(casing.rawValue)).outputs { _ in Self.mount }
      #expect(seen.first?.transform == transform)
    }
  }

  @Test(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
  func `a rotation by GNOME is verified in the panel's frame`() throws {
    let gnome = try GNOMEFixture(mounts: KernelPanelMounts { $0 == "eDP-1" ? Self.mount : nil })
    try gnome.awaitOutputs()
    try gnome.rotate(to: .rotated270).get()
    #expect(gnome.mutter.places[0].transform == 0)
    try gnome.rotate(to: .rotated90).get()
    #expect(gnome.mutter.places[0].transform == 2)
    try gnome.until("the report") { gnome.outputs.first?.transform == .rotated90 }
    #expect(gnome.outputs.first?.mount == Self.mount)
    #expect(gnome.outputs.last?.mount == .topUp)
  }
}
