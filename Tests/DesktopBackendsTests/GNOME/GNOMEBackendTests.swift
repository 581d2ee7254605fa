// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import DesktopBackends

@Suite("GNOME backend", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct GNOMEBackendTests {
  @Test func `every monitor and the panel are reported`() throws {
    let gnome = try GNOMEFixture { $0.off = ["DP-3"] }
    try gnome.awaitOutputs()
    #expect(gnome.outputs.map(\.name) == ["eDP-1", "HDMI-1", "DP-3"])
    #expect(gnome.outputs.map(\.isBuiltIn) == [true, false, false])
    #expect(gnome.outputs.map(\.isActive) == [true, true, false])
    #expect(gnome.outputs.map(\.width) == [1920, 1024, 800])
    #expect(gnome.notes.isEmpty)
  }

  @Test(arguments: DisplayTransform.allCases)
  func `a rotation moves the neighbour to stay adjacent`(_ transform: DisplayTransform) throws {
    let gnome = try GNOMEFixture()
    try gnome.rotate(to: transform).get()
    #expect(gnome.mutter.places[0].transform == UInt32(transform.rawValue))
    #expect(gnome.mutter.places[1].x == (transform.swapsSides ? 1080 : 1920))
    try gnome.until("the report") { gnome.outputs.first?.transform == transform }
    #expect(gnome.outputs[1].transform == .none)
  }

  @Test func `rotating there and back restores the layout`() throws {
    var places = GNOMEFixture.besideEachOther
    places[1].x = -1024
    places[0].x = 1024
    places[1].x = 0
    let gnome = try GNOMEFixture(places: places)
    for transform in [DisplayTransform.rotated90, .rotated180, .rotated270, .none] {
      try gnome.rotate(to: transform).get()
    }
    #expect(gnome.mutter.places.map(\.x) == [1024, 0])
    #expect(gnome.mutter.places.map(\.y) == [0, 0])
  }

  @Test func `the scale matters in logical units`() throws {
    var places = GNOMEFixture.besideEachOther
    places[0].scale = 1.5
    places[1].x = 1280
    let gnome = try GNOMEFixture(places: places) { $0.layoutMode = 1 }
    try gnome.rotate(to: .rotated90).get()
    #expect(gnome.mutter.places[0].scale == 1.5)
    #expect(gnome.mutter.places[1].x == 720)
  }

  @Test func `a rotation changes nothing else`() throws {
    var places = GNOMEFixture.besideEachOther
    places[0].connectors = ["eDP-1", "DP-1"]
    places[1].transform = 7
    let gnome = try GNOMEFixture(places: places) {
      $0.layoutProperties = ["supports-changing-layout-mode": .bool(true)]
      $0.monitorProperties = [
        "eDP-1": ["color-mode": .uint32(1), "rgb-range": .uint32(3)],
        "HDMI-1": ["is-underscanning": .bool(true)], "DP-4": ["is-for-lease": .bool(true)],
      ]
      $0.off = ["DP-4"]
    }
    // The neighbour is 768 wide: it is rotated itself.
    try gnome.rotate(to: .rotated180).get()
    let panel = Value.structure([
      .string("eDP-1"), .string("1920x1080@60.000"),
      .dictionary(["color-mode": .uint32(1), "rgb-range": .uint32(3)]),
    ])
    let mirror = Value.structure([.string("DP-1"), .string("1920x1080@60.000"), .dictionary([:])])
    let neighbour = Value.structure([
      .string("HDMI-1"), .string("1024x768@60.000"), .dictionary(["underscanning": .bool(true)]),
    ])
    let lease = Value.structure(["DP-4", "Vendor", "Product", "0x01"].map(Value.string))
    #expect(
      gnome.mutter.applied == [
        [
          .uint32(2), .uint32(1),
          .array(
            of: "(iiduba(ssa{sv}))",
            [
              .structure([
                .int32(0), .int32(0), .double(1), .uint32(2), .bool(true),
                .array(of: "(ssa{sv})", [panel, mirror]),
              ]),
              .structure([
                .int32(1920), .int32(0), .double(1), .uint32(7), .bool(false),
                .array(of: "(ssa{sv})", [neighbour]),
              ]),
            ]),
          .dictionary([
            "layout-mode": .uint32(2), "monitors-for-lease": .array(of: "(ssss)", [lease]),
          ]),
        ]
      ])
  }

  @Test func `a flipped image stays flipped`() throws {
    var places = GNOMEFixture.besideEachOther
    places[0].transform = 4
    let gnome = try GNOMEFixture(places: places)
    try gnome.awaitOutputs()
    #expect(gnome.outputs[0].transform == .none)
    try gnome.rotate(to: .rotated90).get()
    #expect(gnome.mutter.places[0].transform == 5)
  }

  @Test func `an output at its target is not configured`() throws {
    let gnome = try GNOMEFixture()
    try gnome.rotate(to: .none).get()
    #expect(gnome.mutter.applied.isEmpty)
  }

  @Test func `a known state is not read again`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    for transform in [DisplayTransform.rotated90, .rotated180] {
      let reads = gnome.mutter.reads
      try gnome.rotate(to: transform).get()
      try gnome.until("the report") { gnome.outputs[0].transform == transform }
      // One reading to verify, and one for Mutter's signal.
      #expect(gnome.mutter.reads == reads + 2)
    }
  }

  /// No signal reports a new serial when nothing else has changed.
  @Test func `an outdated state is read again`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    gnome.mutter.serial = 77
    try gnome.rotate(to: .rotated90).get()
    #expect(gnome.mutter.applied.map { $0[0] } == [.uint32(2), .uint32(77)])
  }

  @Test func `an unknown or disabled output is not rotated`() throws {
    let gnome = try GNOMEFixture { $0.off = ["DP-3"] }
    #expect(try gnome.failure(of: "VGA-1", to: .rotated90).contains("there is no output “VGA-1”"))
    #expect(try gnome.failure(of: "DP-3", to: .rotated90).contains("DP-3 is switched off"))
    #expect(gnome.mutter.applied.isEmpty)
  }

  @Test func `changes by others are reported`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    gnome.mutter.places = [gnome.mutter.places[0]]
    gnome.mutter.places[0].transform = 3
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("the change") { gnome.outputs.count == 1 && gnome.outputs[0].transform == .rotated270 }
  }

  @Test func `the display power is reported`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    try gnome.mutter.setPower(3)
    try gnome.until("off") { gnome.events.last == .displayPowerChanged(isOn: false) }
    try gnome.mutter.setPower(0)
    try gnome.until("on") { gnome.events.last == .displayPowerChanged(isOn: true) }
    #expect(gnome.events.count { if case .displayPowerChanged = $0 { true } else { false } } == 2)
  }

  @Test func `the end of Mutter is reported`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    gnome.mutter.end()
    try gnome.until("the end") { gnome.ends == ["GNOME has ended"] }
  }

  @Test func `the end of the bus is reported`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    gnome.bus.kill()
    try gnome.until("the end") { gnome.ends == ["the session bus has ended"] }
    #expect(try gnome.failure(to: .rotated90).contains("start autorotate from within the GNOME session"))
  }

  @Test func `the backend ends at once without Mutter`() throws {
    let bus = try PrivateBus()
    let backend = try GNOMEBackend(loop: bus.loop, bus: .at(address: bus.address))
    var ends: [String] = []
    try backend.start(report: { Issue.record("reported \($0)") }, gone: { ends.append($0.description) })
    #expect(try bus.run { !ends.isEmpty })
    #expect(ends[0].contains("org.gnome.Mutter.DisplayConfig"))
    backend.stop()
  }
}
