// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing

@testable import DesktopBackends

/// A Mutter that hangs, sends invalid answers, refuses, or changes its monitors.
@Suite("failures of GNOME", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct GNOMEFailureTests {
  @Test func `an outdated serial is retried`() throws {
    let gnome = try GNOMEFixture()
    gnome.mutter.onApply = { if gnome.mutter.applied.count < 2 { gnome.mutter.serial += 1 } }
    try gnome.rotate(to: .rotated90).get()
    #expect(gnome.mutter.applied.count == 3)
    #expect(gnome.mutter.places[0].transform == 1)
  }

  @Test func `a serial that keeps changing fails`() throws {
    let gnome = try GNOMEFixture()
    gnome.mutter.onApply = { gnome.mutter.serial += 1 }
    #expect(try gnome.failure(to: .rotated90).contains("the monitors change again and again"))
    #expect(gnome.mutter.applied.count == 5)
  }

  @Test func `an output unplugged meanwhile is named`() throws {
    let gnome = try GNOMEFixture()
    gnome.mutter.onApply = {
      gnome.mutter.serial += 1
      gnome.mutter.places = [FakeMutter.Place(x: 0, y: 0, width: 800, height: 600, connectors: ["DP-1"])]
    }
    #expect(try gnome.failure(to: .rotated90).contains("there is no output “eDP-1” (connected: DP-1)"))
  }

  @Test func `a refusal is quoted`() throws {
    let gnome = try GNOMEFixture { $0.applyAnswer = .refused("Refusing to activate a closed laptop panel") }
    #expect(try gnome.failure(to: .rotated90).contains("closed laptop panel"))
    #expect(gnome.mutter.applied.count == 1)
  }

  @Test func `success without effect is a failure`() throws {
    let gnome = try GNOMEFixture { $0.applyAnswer = .withoutEffect }
    let failure = try gnome.failure(to: .rotated90)
    #expect(failure.contains("GNOME accepted the rotation of eDP-1, but shows something else"))
  }

  @Test func `a late change is a success`() throws {
    let gnome = try GNOMEFixture { $0.applyAnswer = .withoutEffect }
    var result: Result<Void, Message>?
    gnome.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
    try gnome.awaitOutputs()
    try gnome.until("the verification") { gnome.mutter.applied.count == 1 && gnome.mutter.reads == 3 }
    gnome.mutter.places[0].transform = 1
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("the end of the rotation") { result != nil }
    try #require(result).get()
  }

  /// The loop is not blocked: other events are handled meanwhile.
  @Test func `a Mutter that hangs times out`() throws {
    let gnome = try GNOMEFixture { $0.applyAnswer = .never }
    var result: Result<Void, Message>?
    gnome.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
    try gnome.until("the call") { gnome.mutter.applied.count == 1 }
    gnome.mutter.places[1].transform = 2
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("an event meanwhile") { gnome.outputs.last?.transform == .rotated180 }
    #expect(result == nil)
    try gnome.until("the end of the rotation") { result != nil }
    guard case .failure(let failure) = result else {
      Issue.record("it has not failed")
      return
    }
    #expect(failure.description.contains("GNOME does not answer"))
  }

  @Test func `a Mutter that ends before its answer is reported`() throws {
    let gnome = try GNOMEFixture { $0.applyAnswer = .never }
    var result: Result<Void, Message>?
    gnome.backend.apply(.rotated90, to: "eDP-1") { result = $0 }
    try gnome.until("the call") { gnome.mutter.applied.count == 1 }
    gnome.mutter.end()
    try gnome.until("both ends") { result != nil && gnome.ends == ["GNOME has ended"] }
  }

  @Test func `a read failure is noted once without outputs`() throws {
    let gnome = try GNOMEFixture { $0.stateAnswer = .refused("not now") }
    try gnome.until("the complaint") { gnome.notes.count == 1 }
    #expect(gnome.events.first == .outputsChanged([]))
    let reads = gnome.mutter.reads
    try gnome.mutter.emitMonitorsChanged()
    try gnome.until("another reading") { gnome.mutter.reads > reads }
    gnome.mutter.stateAnswer = .likeMutter
    try gnome.mutter.emitMonitorsChanged()
    try gnome.awaitOutputs()
    #expect(gnome.notes.count == 1)
  }

  @Test(arguments: [
    [], [Value.uint32(1)], [.dictionary([:])], [.uint32(1), .array(of: "(ss)", [])],
  ])
  func `an invalid answer is reported`(_ values: [Value]) throws {
    let gnome = try GNOMEFixture(types: values.map(\.typeSignature)) { $0.garbage = values }
    try gnome.until("the complaint") { !gnome.notes.isEmpty }
    #expect(gnome.notes[0].contains("cannot be understood"), "\(gnome.notes)")
    #expect(try gnome.failure(to: .rotated90).contains("cannot be understood"))
    #expect(gnome.mutter.applied.isEmpty)
  }

  @Test func `signals of other senders are ignored`() throws {
    let gnome = try GNOMEFixture()
    try gnome.awaitOutputs()
    try gnome.bus.deliver()
    let reads = gnome.mutter.reads
    let stranger = try Stranger(on: gnome.bus)
    let target = MutterDesktop.gnome.displayConfig
    try stranger.signalAll(target, "MonitorsChanged")
    try stranger.signalAll(
      target.properties, "PropertiesChanged",
      [.string(target.interface), .dictionary(["PowerSaveMode": .int32(3)]), .strings([])])
    try stranger.spoofOwner("", of: target.service, was: ":1.0")
    try stranger.settle()
    #expect(gnome.ends.isEmpty)
    #expect(gnome.mutter.reads == reads)
    #expect(!gnome.events.contains(.displayPowerChanged(isOn: false)))
  }
}
