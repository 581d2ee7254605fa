// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// What changes by itself: the power, and what a configuration that is read anew puts back.
@Suite("Hyprland's changes", .serialized)
@MainActor
struct HyprlandChangesTests {
  /// A Hyprland with one panel, by what it is asked and told.
  @MainActor
  private final class Panel {
    var transform = 0
    var isLit = true
    var reads = 0
    /// At which further reading the configuration's own transform is back.
    var fallsBackAt: Int?
    var commands: [String] = []

    func answer(_ request: String) -> String {
      switch request {
      case "j/monitors all": return monitors()
      case "/eval return 1": return "unknown request"
      case let text where text.hasPrefix("/keyword monitor"):
        commands.append(text)
        let words = text.split(separator: ",")
        transform = words.last.flatMap { Int($0) } ?? transform
        return "ok"
      default: return "{}"
      }
    }

    private func monitors() -> String {
      reads += 1
      if let at = fallsBackAt, reads >= at {
        fallsBackAt = nil
        transform = 0
      }
      return #"[{"name":"eDP-1","width":1280,"height":800,"x":0,"y":0,"scale":1,"disabled":false,"#
        + #""dpmsStatus":\#(isLit),"transform":\#(transform)}]"#
    }
  }

  private func start(
    _ panel: Panel, wayland: WaylandConnection? = nil
  ) throws -> (RunningDesktop, FakeHyprland) {
    var hyprland: FakeHyprland?
    let running = try RunningDesktop { loop, note in
      let fake = try FakeHyprland(loop: loop, answer: { panel.answer($0) })
      hyprland = fake
      let context = CompositorContext(loop: loop, note: note)
      return try CompositorBackend(HyprlandDialect(place: fake.place(), wayland: wayland, context), context)
    }
    running.other = hyprland
    try running.wait("outputs") { running.output("eDP-1") != nil }
    return (running, try #require(hyprland))
  }

  private func shown(_ running: RunningDesktop) -> [DisplayTransform] {
    running.events.compactMap { event in
      if case .outputsChanged(let outputs) = event { outputs.first?.transform } else { nil }
    }
  }

  @Test func aMonitorWhosePowerIsOffIsDarkAndThatItDoesNotTurnIsNoFault() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    panel.isLit = false
    var wasKnownToBeDark = false
    running.backend.apply(.turned90, to: "eDP-1") { result in
      #expect(!result.isSuccess)
      wasKnownToBeDark = running.output("eDP-1")?.isActive == false
    }
    try running.wait("darkness") { running.output("eDP-1")?.isActive == false }
    try running.wait("the answer") { wasKnownToBeDark }
    panel.isLit = true
    hyprland.tell("workspace>>1")
    try running.wait("light") { running.output("eDP-1")?.isActive == true }
    #expect(panel.commands.isEmpty && running.notes.isEmpty)
  }

  /// Hyprland's own events do not tell of the power.
  @Test func whenWaylandTellsOfAChangeTheMonitorsAreLookedAt() throws {
    let fake = try Fake("output eDP-1 1280 800")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    panel.isLit = false
    fake.say("output HDMI-A-1 1024 768")
    try running.wait("darkness") { running.output("eDP-1")?.isActive == false }
    panel.isLit = true
    fake.say("remove HDMI-A-1")
    try running.wait("light") { running.output("eDP-1")?.isActive == true }
    fake.stop()
    #expect(running.gone.isEmpty && running.notes.isEmpty)
  }

  @Test func `power that Wayland reports is looked at`() throws {
    let fake = try Fake("share", "output eDP-1 1280 800")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    for _ in 0..<2 {
      panel.isLit = false
      fake.say("power eDP-1 0")
      try running.wait("darkness") { running.output("eDP-1")?.isActive == false }
      try running.loop.settle()
      panel.isLit = true
      fake.say("power eDP-1 2")
      try running.wait("light") { running.output("eDP-1")?.isActive == true }
    }
    fake.stop()
    #expect(running.notes.isEmpty)
  }

  /// So did Hyprland before 0.41, as wlroots does.
  @Test func `power that only one client may hold is left to others`() throws {
    let fake = try Fake("output eDP-1 1280 800", "seat")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    panel.isLit = false
    try running.wait("others to be let") { fake.can("power eDP-1 0") }
    #expect(try !running.turn("eDP-1", .turned90).isSuccess)
    #expect(running.output("eDP-1")?.isActive == false)
    panel.isLit = true
    fake.say("power eDP-1 2")
    try running.wait("light") { running.output("eDP-1")?.isActive == true }
    fake.stop()
  }

  @Test func `nothing is looked at while nobody sees the session`() throws {
    let fake = try Fake("output eDP-1 1280 800", "seat")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    panel.isLit = false
    #expect(try !running.turn("eDP-1", .turned90).isSuccess)
    try running.wait("the watch") { fake.can("idle") }
    // Each event of Wayland is a reason to look.
    try running.loop.runPending()
    running.backend.sessionChanged(isSeen: false)
    try running.loop.runPending()
    panel.isLit = true
    try running.loop.settle()
    #expect(running.output("eDP-1")?.isActive == false)
    running.backend.sessionChanged(isSeen: true)
    try running.wait("light") { running.output("eDP-1")?.isActive == true }
    fake.stop()
  }

  @Test func aTurnFromBeforeTheStartIsNotLostByAReload() throws {
    let panel = Panel()
    panel.transform = 1
    let (running, hyprland) = try start(panel)
    panel.transform = 0
    hyprland.tell("configreloaded>>")
    try running.wait("the correction") { panel.transform == 1 && !panel.commands.isEmpty }
    hyprland.tell("monitoradded>>eDP-1")
    let reads = panel.reads
    try running.wait("another look") { panel.reads > reads + 1 }
    #expect(shown(running) == [.turned90], "nobody has asked for anything else")
  }

  /// Hyprland 0.57 only plans the monitors' reload when it says that the configuration was read.
  @Test func aReloadThatTakesEffectLateIsNobodysWish() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    panel.fallsBackAt = panel.reads + 3
    panel.commands = []
    hyprland.tell("configreloaded>>")
    try running.wait("the looks, or nothing left to look for") {
      try panel.fallsBackAt == nil || (!running.loop.runPending() && running.loop.nextTimer == nil)
    }
    hyprland.tell("monitoradded>>eDP-1")
    try running.wait("the correction") { !panel.commands.isEmpty || shown(running).last == .some(.none) }
    #expect(panel.transform == 1)
    #expect(shown(running) == [.none, .turned90], "nobody has asked for normal")
  }

  @Test func whatThePersonTurnsOutsideOfAReloadStays() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    #expect(try running.turn("eDP-1", .turned90).isSuccess)
    panel.commands = []
    panel.transform = 2
    hyprland.tell("monitoradded>>eDP-1")
    try running.wait("the report") { shown(running).last == .turned180 }
    #expect(panel.commands.isEmpty)
  }

  @Test func aPictureTurnedBackBetweenTwoTurnsIsTold() throws {
    let panel = Panel()
    let (running, _) = try start(panel)
    try running.turnBackBetweenTwoTurns { panel.transform = 0 }
  }

  @Test func turnsAreDoneInTheirOrderAndAnsweredOnce() throws {
    let panel = Panel()
    let (running, _) = try start(panel)
    var answers: [String] = []
    for (name, transform) in [("eDP-1", DisplayTransform.turned90), ("DP-9", .none), ("eDP-1", .turned180)] {
      running.backend.apply(transform, to: name) { answers.append("\(name) \($0.isSuccess)") }
    }
    try running.wait("all answers") { answers.count == 3 }
    #expect(answers == ["eDP-1 true", "DP-9 false", "eDP-1 true"])
    #expect(panel.transform == 2)
  }
}
