// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Changes not made by autorotate: of the power, and by a reload of the configuration.
@Suite("Hyprland's changes", .serialized)
@MainActor
struct HyprlandChangesTests {
  /// The state of a Hyprland with one panel.
  @MainActor
  private final class Panel {
    var transform = 0
    var isLit = true
    var reads = 0
    var commands: [String] = []
    var title = "a"

    func answer(_ request: String) -> String {
      switch request {
      case "j/monitors all": return monitors()
      case "j/activewindow": return #"{"address":"0x1","class":"mpv","title":"\#(title)"}"#
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

  @Test func `a monitor is reported off before its rotation fails`() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    panel.isLit = false
    var wasReportedOff = false
    running.backend.apply(.rotated90, to: "eDP-1") { result in
      #expect(!result.isSuccess)
      wasReportedOff = running.output("eDP-1")?.isActive == false
    }
    try running.wait("power off") { running.output("eDP-1")?.isActive == false }
    try running.wait("the answer") { wasReportedOff }
    panel.isLit = true
    hyprland.sendEvent("workspace>>1")
    try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    #expect(panel.commands.isEmpty && running.notes.isEmpty)
  }

  @Test func `titles are read only while they are watched`() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    try running.wait("the window") { running.focused?.identifiers == ["mpv"] }
    let readings = { hyprland.asked.count { $0 == "j/activewindow" } }
    let before = readings()
    hyprland.sendEvent("windowtitlev2>>1,b")
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(readings() == before && running.focused?.title == nil)
    running.backend.watchTitles(true)
    try running.wait("the title") { running.focused?.title == "a" }
    panel.title = "b"
    hyprland.sendEvent("windowtitlev2>>1,b")
    try running.wait("the new title") { running.focused?.title == "b" }
  }

  /// It may change its title without pause.
  @Test func `the title of a window in the background is not read`() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    try running.wait("the window") { running.focused?.identifiers == ["mpv"] }
    running.backend.watchTitles(true)
    try running.wait("the title") { running.focused?.title == "a" }
    panel.title = "b"
    hyprland.sendEvent("windowtitlev2>>2,b")
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.focused?.title == "a")
    hyprland.sendEvent("windowtitlev2>>1,b")
    try running.wait("the new title") { running.focused?.title == "b" }
  }

  /// Hyprland's own events do not report the power.
  @Test func `a change that Wayland reports is read`() throws {
    let fake = try Fake("output eDP-1 1280 800")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    panel.isLit = false
    fake.run("output HDMI-A-1 1024 768")
    try running.wait("power off") { running.output("eDP-1")?.isActive == false }
    panel.isLit = true
    fake.run("remove HDMI-A-1")
    try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    fake.stop()
    #expect(running.gone.isEmpty && running.notes.isEmpty)
  }

  @Test func `power changes that Wayland reports are read`() throws {
    let fake = try Fake("share", "output eDP-1 1280 800")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    for _ in 0..<2 {
      panel.isLit = false
      fake.run("power eDP-1 0")
      try running.wait("power off") { running.output("eDP-1")?.isActive == false }
      try running.loop.settle()
      panel.isLit = true
      fake.run("power eDP-1 2")
      try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    }
    fake.stop()
    #expect(running.notes.isEmpty)
  }

  /// As in Hyprland before 0.41, and in wlroots.
  @Test func `a power object that allows one client is released`() throws {
    let fake = try Fake("output eDP-1 1280 800", "seat")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    panel.isLit = false
    try running.wait("the release of the power object") { fake.can("power eDP-1 0") }
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.output("eDP-1")?.isActive == false)
    panel.isLit = true
    fake.run("power eDP-1 2")
    try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    fake.stop()
  }

  @Test func `nothing is checked while the session is inactive`() throws {
    let fake = try Fake("output eDP-1 1280 800", "seat")
    let panel = Panel()
    let (running, _) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    panel.isLit = false
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    try running.wait("the watch") { fake.can("idle") }
    // Each Wayland event triggers a check.
    try running.loop.runPending()
    running.backend.visibilityChanged(isVisible: false)
    try running.loop.runPending()
    panel.isLit = true
    try running.loop.settle()
    #expect(running.output("eDP-1")?.isActive == false)
    running.backend.visibilityChanged(isVisible: true)
    try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    fake.stop()
  }

  @Test func `a rotation from before the start survives a reload`() throws {
    let panel = Panel()
    panel.transform = 1
    let (running, hyprland) = try start(panel)
    panel.transform = 0
    hyprland.sendEvent("configreloaded>>")
    try running.wait("the correction") { panel.transform == 1 && !panel.commands.isEmpty }
    hyprland.sendEvent("monitoradded>>eDP-1")
    let reads = panel.reads
    try running.wait("another reading") { panel.reads > reads + 1 }
    #expect(shown(running) == [.rotated90], "nothing else was requested")
  }

  /// Hyprland 0.57 reports the reload before it applies the monitors' rules.
  @Test func `a reload that takes effect late is corrected`() throws {
    let fake = try Fake("share", "output eDP-1 1280 800")
    let panel = Panel()
    let (running, hyprland) = try start(panel, wayland: try WaylandConnection(display: fake.path))
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    let reads = panel.reads
    panel.commands = []
    hyprland.sendEvent("configreloaded>>")
    try running.wait("the reading after the reload") { panel.reads > reads }
    try running.loop.settle()
    panel.transform = 0
    // Wayland reports that the output has changed.
    fake.run("power eDP-1 1")
    try running.wait("the correction") { !panel.commands.isEmpty || shown(running).last == .some(.none) }
    fake.stop()
    #expect(panel.transform == 1)
    #expect(shown(running) == [.none, .rotated90], "normal was not requested")
  }

  @Test func `a rotation by the user outside of a reload stays`() throws {
    let panel = Panel()
    let (running, hyprland) = try start(panel)
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    panel.commands = []
    panel.transform = 2
    hyprland.sendEvent("monitoradded>>eDP-1")
    try running.wait("the report") { shown(running).last == .rotated180 }
    #expect(panel.commands.isEmpty)
  }

  @Test func `an external rotation between two rotations is reported`() throws {
    let panel = Panel()
    let (running, _) = try start(panel)
    try running.rotateBackBetweenRotations { panel.transform = 0 }
  }

  @Test func `rotations are done in order and answered once`() throws {
    let panel = Panel()
    let (running, _) = try start(panel)
    var answers: [String] = []
    for (name, transform) in [("eDP-1", DisplayTransform.rotated90), ("DP-9", .none), ("eDP-1", .rotated180)]
    {
      running.backend.apply(transform, to: name) { answers.append("\(name) \($0.isSuccess)") }
    }
    try running.wait("all answers") { answers.count == 3 }
    #expect(answers == ["eDP-1 true", "DP-9 false", "eDP-1 true"])
    #expect(panel.transform == 2)
  }
}
