// SPDX-License-Identifier: MIT

import Autorotation
import Temporary
import Testing

@testable import SensorSources
@testable import System

/// Which devices of the kernel report the posture, and how.
@MainActor @Suite struct PostureCandidateTests {
  /// - Parameters:
  ///   - switches: the kernel's bits: 1 the lid, 2 the tablet switch, 20 the dock.
  ///   - hasKeys: F22 and F23.
  private func device(_ switches: String, hasKeys: Bool = false) throws -> KernelInput {
    let directory = try TemporaryDirectory()
    let files = ["name": "Folio", "capabilities/sw": switches, "capabilities/key": hasKeys ? "3 0 0 0" : "0"]
    for (name, text) in files { try directory.write(text + "\n", to: "event3/device/\(name)") }
    return try #require(KernelInput.all(in: directory.path, quirks: nil).first)
  }

  private func candidate(
    _ switches: String, hasKeys: Bool = false, _ choice: TabletSwitchChoice = .automatic,
    isUnreliable: Bool = false
  ) throws -> PostureCandidate? {
    let text = isUnreliable ? "[A]\nMatchName=Folio\nModelTabletModeSwitchUnreliable=1\n" : ""
    let quirks = QuirkDatabase(of: MachineIdentity(), texts: [text], known: [])
    return PostureCandidate(try device(switches, hasKeys: hasKeys), choice, quirks)
  }

  /// doctor asked to install a rule that was installed.
  @Test func `an installed udev rule is not installed again`() throws {
    let root = try TemporaryDirectory()
    #expect("\(PostureInspection.stepIfRefused(root: root.path))".hasPrefix("install the udev rule"))
    try root.write("\n", to: "usr/lib/udev/rules.d/61-autorotate.rules")
    let step = "\(PostureInspection.stepIfRefused(root: root.path))"
    #expect(step.hasSuffix("log in there; if you are at the screen, restart the machine"))
  }

  @Test(
    arguments: [
      ("2", [.tabletSwitch], true), ("20", [.dock], false), ("22", [.tabletSwitch, .dock], true),
      ("1", [], false),
    ] as [(String, [PostureInput.Kind], Bool)])
  func `switches are inputs`(switches: String, kinds: [PostureInput.Kind], reportsFolding: Bool) throws {
    for choice in [TabletSwitchChoice.automatic, .none, .named("Folio"), .named("Other")] {
      let found = try #require(try candidate(switches, choice))
      #expect(found.inputs.map(\.kind) == kinds && found.reportsFolding == reportsFolding, "\(choice)")
      #expect(found.inputs.allSatisfy { $0.name == "Folio" && $0.node == found.path })
    }
  }

  @Test func `keys are inputs of the named device only`() throws {
    #expect(try candidate("0", hasKeys: true) == nil)
    #expect(try candidate("0", hasKeys: true, .named("Other")) == nil)
    #expect(try candidate("0", .named("Folio")) == nil, "it has none")
    let found = try candidate("0", hasKeys: true, .named("Folio"))
    #expect(found?.inputs.map(\.kind) == [.keys] && found?.reportsFolding == true)
    let both = try candidate("2", hasKeys: true, .named("Folio"))
    #expect(both?.inputs.map(\.kind) == [.tabletSwitch], "a switch is better")
    let dock = try candidate("20", hasKeys: true, .named("Folio"))
    #expect(dock?.inputs.map(\.kind) == [.dock, .keys])
  }

  @Test func `an unreliable switch is used only if the settings name it`() throws {
    #expect(try candidate("2", isUnreliable: true) == nil)
    #expect(try candidate("2", .named("Other"), isUnreliable: true) == nil)
    #expect(try candidate("23", isUnreliable: true)?.inputs.map(\.kind) == [.dock])
    #expect(try candidate("2", .named("Folio"), isUnreliable: true)?.inputs.map(\.kind) == [.tabletSwitch])
    let keys = try candidate("2", hasKeys: true, .none, isUnreliable: true)
    #expect(keys == nil)
  }

  @Test(
    arguments: [
      (.tabletSwitch, [], .laptop), (.tabletSwitch, [.tablet, .docked], .tablet),
      (.dock, [.tablet], .unknown),
      (.dock, [.docked], .docked), (.keys, [.tablet], .tent), (.keyboard, [.tablet], .unknown),
    ] as [(PostureInput.Kind, Set<PostureSwitch>, Posture)])
  func `each input has a reading`(kind: PostureInput.Kind, on: Set<PostureSwitch>, posture: Posture) throws {
    let found = try #require(try candidate("23"))
    #expect(found.reading(of: kind, on: on, keys: .tent) == posture)
  }

  @Test(arguments: [(FoldingKey.folded, Posture.tablet, 193), (.unfolded, .laptop, 192)])
  func `each key means a posture`(key: FoldingKey, posture: Posture, code: Int) {
    #expect(key.posture == posture && key.rawValue == code)
  }
}
