// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Testing
import Waiting

@testable import DesktopBackends

/// What doctor shows of GNOME.
@Suite("an inspection of GNOME", .serialized, .enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
@MainActor
struct GNOMEInspectionTests {
  private let bus: PrivateBus
  private var names = [MutterDesktop.gnome.service]
  private var answers: [String: [Value]]

  init() throws {
    bus = try PrivateBus()
    // Of the fake Mutter, which answers on the thread of the test, only the state is used.
    let mutter = try FakeMutter(on: PrivateBus(), places: GNOMEFixture.besideEachOther)
    answers = ["GetCurrentState": mutter.state, "Get PanelOrientationManaged": [.variant(.bool(true))]]
  }

  private mutating func addShell(_ version: String) {
    names.append(ShellVersion.target.service)
    answers["Get ShellVersion"] = [.variant(.string(version))]
  }

  private func inspect(takesOver: Bool = false) throws -> DisplayInspection {
    let desktop = try Stranger(on: bus)
    try desktop.serve(names, answers)
    return try GNOMEBackend.inspect(
      settings: DisplaySettings(takesOver: takesOver), bus: .at(address: bus.address),
      timeout: EventLoop.limit)
  }

  @Test func `the shell and its outputs are shown`() throws {
    var gnome = self
    gnome.addShell("51.0")
    let found = try gnome.inspect()
    #expect("\(found.system)" == "GNOME Shell 51.0")
    #expect(
      found.outputs.map(\.name) == ["eDP-1", "HDMI-1"]
        && found.outputs.panelName(chosen: OutputChoice()) == "eDP-1")
  }

  @Test func `Mutter under another shell has no version`() throws {
    let found = try inspect()
    #expect("\(found.system)" == "Mutter")
    #expect(found.ownRotation == MutterDesktop.gnome.rotationAdvice)
    #expect(found.focus.description.contains("install the package gnome-shell-extension-autorotate"))
  }

  @Test func `a rotation that works is left to GNOME`() throws {
    var gnome = self
    gnome.addShell("51.0")
    #expect(try gnome.inspect().ownRotation == MutterDesktop.gnome.rotationAdvice)
  }

  @Test func `GNOME yields to a take-over`() throws {
    let rotation = try inspect(takesOver: true).ownRotation
    #expect(rotation?.description == "GNOME's own rotation is switched off while autorotate runs")
  }

  @Test func `GNOME without a managed panel does not rotate`() throws {
    var gnome = self
    gnome.answers["Get PanelOrientationManaged"] = [.variant(.bool(false))]
    let rotation = try gnome.inspect(takesOver: true).ownRotation
    #expect(rotation?.description == "GNOME does not rotate the screen now")
  }

  @Test func `the extension that reports the focus is named`() throws {
    var gnome = self
    gnome.names.append(ShellFocus.target.service)
    #expect(try gnome.inspect().focus.code == .focusKnown)
  }

  @Test(arguments: [
    ("44.9", false, "use GNOME 45"), ("45.0", false, "install the package gnome-shell-extension-autorotate"),
    ("45.0", true, "installed but not running"), ("next", true, "installed but not running"),
  ])
  func `the next step depends on version and extension`(
    version: String, isInstalled: Bool, step: String
  ) throws {
    var gnome = self
    gnome.addShell(version)
    gnome.answers["GetExtensionInfo"] = [.dictionary(isInstalled ? ["state": .double(2)] : [:])]
    let focus = try gnome.inspect().focus
    #expect(focus.code == .focusUnknown && focus.description.contains(step))
  }

  @Test func `a missing or wrong answer is an error`() throws {
    var gnome = self
    gnome.answers["GetCurrentState"] = [.uint32(1)]
    let wrong = #expect(throws: Message.self) { try gnome.inspect() }
    #expect(wrong?.code == .displayNonsense)
    let empty = try PrivateBus()
    let absent = #expect(throws: Message.self) {
      try GNOMEBackend.inspect(bus: .at(address: empty.address), timeout: EventLoop.limit)
    }
    #expect(absent == MutterDesktop.gnome.isNotRunning)
    let late = #expect(throws: Message.self) {
      try GNOMEBackend.inspect(bus: .at(address: bus.address), timeout: 0)
    }
    #expect(late == MutterDesktop.gnome.timedOut)
  }
}
