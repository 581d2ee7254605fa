// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import DesktopBackends

/// Several rotations, one after the other.
@Suite("rotations in GNOME", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct GNOMERotationsTests {
  /// The neighbour lies above the panel's far end, which a rotated panel does not reach.
  static let aboveTheFarEnd = [
    FakeMutter.Place(x: 0, y: 768, width: 1280, height: 800, isPrimary: true, connectors: ["eDP-1"]),
    FakeMutter.Place(x: 1000, y: 0, width: 1024, height: 768, connectors: ["HDMI-1"]),
  ]

  private func places(_ gnome: GNOMEFixture) -> [[Int32]] { gnome.mutter.places.map { [$0.x, $0.y] } }

  @Test func `simultaneous requests are handled in order`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    var answers: [String] = []
    gnome.backend.apply(.rotated90, to: "eDP-1") { answers.append("panel \($0.isSuccess)") }
    gnome.backend.apply(.rotated270, to: "HDMI-1") { answers.append("monitor \($0.isSuccess)") }
    gnome.backend.apply(.rotated90, to: "DP-9") { answers.append("none \($0.isSuccess)") }
    try gnome.until("all answers") { answers.count == 3 }
    #expect(answers == ["panel true", "monitor true", "none false"])
    #expect(gnome.mutter.places.map(\.transform) == [1, 3], "the second left the first as it was")
    #expect(places(gnome) == [[0, 0], [1080, 0]])
  }

  @Test func `each rotation is answered once after a timeout`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    gnome.mutter.applyAnswer = .never
    var answers: [Bool] = []
    gnome.backend.apply(.rotated90, to: "eDP-1") { answers.append($0.isSuccess) }
    gnome.backend.apply(.rotated180, to: "eDP-1") { answers.append($0.isSuccess) }
    try gnome.until("the first call") { gnome.mutter.applied.count == 1 }
    gnome.mutter.applyAnswer = .likeMutter
    try gnome.until("both answers") { answers.count == 2 }
    #expect(answers == [false, true])
    #expect(gnome.mutter.places[0].transform == 2)
  }

  /// Mutter's signal may come after its answer.
  @Test func `a second rotation knows the result of the first`() throws {
    let gnome = try GNOMEFixture { $0.emitsChanges = false }
    try gnome.awaitOutputs()
    try gnome.rotate(to: .rotated90).get()
    try gnome.rotate(to: .none).get()
    #expect(gnome.mutter.places[0].transform == 0)
    #expect(gnome.mutter.applied.count == 2)
  }

  @Test func `rotating back restores the neighbour above`() throws {
    let gnome = try GNOMEFixture(places: Self.aboveTheFarEnd)
    try gnome.rotate(to: .rotated90).get()
    #expect(places(gnome) != [[0, 768], [1000, 0]])
    try gnome.rotate(to: .none).get()
    #expect(places(gnome) == [[0, 768], [1000, 0]])
    for transform in [DisplayTransform.rotated270, .rotated180] { try gnome.rotate(to: transform).get() }
    #expect(places(gnome) == [[0, 768], [1000, 0]], "upside down has the same size")
  }

  @Test func `an arrangement made while rotated is kept`() throws {
    let gnome = try GNOMEFixture(places: Self.aboveTheFarEnd)
    try gnome.rotate(to: .rotated90).get()
    gnome.mutter.places[0].x = 0
    gnome.mutter.places[0].y = 0
    gnome.mutter.places[1].x = 800
    gnome.mutter.places[1].y = 0
    let reads = gnome.mutter.reads
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("another reading") { gnome.mutter.reads > reads }
    try gnome.bus.deliver()
    try gnome.rotate(to: .none).get()
    #expect(places(gnome) == [[0, 0], [1280, 0]])
  }

  @Test func `an external rotation right after a rotation is reported`() throws {
    let gnome = try GNOMEFixture { $0.emitsChanges = false }
    try gnome.awaitOutputs()
    var eventCount: Int?
    gnome.backend.apply(.rotated90, to: "eDP-1") { _ in
      gnome.mutter.places[0].transform = 0
      eventCount = gnome.events.count
    }
    try gnome.until("the end of the rotation") { eventCount != nil }
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("the rotation by another program") { gnome.events.count > eventCount ?? 0 }
    #expect(gnome.outputs.first?.transform == DisplayTransform.none)
  }

  @Test func `power off is reported before the outputs`() throws {
    let gnome = try GNOMEFixture { $0.powerSaveMode = 3 }
    try gnome.awaitOutputs()
    #expect(gnome.events.first == .displayPowerChanged(isOn: false))
  }
}
