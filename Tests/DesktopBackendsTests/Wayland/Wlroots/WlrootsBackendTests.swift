// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

extension Running<WlrootsBackend> {
  convenience init(_ fake: Fake, timeout: Int64? = EventLoop.limit) throws {
    try self.init { loop, note in
      try WlrootsBackend(loop: loop, display: fake.path, timeout: timeout, note: note)
    }
  }

  /// The message of a rotation that fails.
  func failure(_ output: String, _ transform: DisplayTransform = .rotated90) throws -> String {
    switch try rotate(output, transform) {
    case .success: "none"
    case .failure(let failure): failure.description
    }
  }
}

@Suite("wlroots' output management")
@MainActor
struct WlrootsBackendTests {
  private static let panel = "head eDP-1 1920 1080 0 0"
  private static let monitor = "head HDMI-A-1 1280 720 1920 0"

  @Test func `the outputs are reported first`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "set HDMI-A-1 enabled 0", "set eDP-1 transform 3")
    let running = try Running(fake)
    #expect(
      running.outputs == [
        Output(name: "eDP-1", isBuiltIn: true, width: 1920, height: 1080, transform: .rotated270),
        Output(name: "HDMI-A-1", isBuiltIn: false, isExternal: true, isActive: false, width: 0, height: 0),
      ])
    #expect(running.notes.sentences == [])
  }

  /// labwc places an output automatically if its position does not change.
  @Test func `a rotation sends the position of every enabled head`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "head DP-1 800 600 -800 0", "head DP-2 1 1 0 0")
    fake.run("set DP-2 enabled 0")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(
      fake.log == [
        "enable HDMI-A-1", "position HDMI-A-1 1080 0", "enable eDP-1", "transform eDP-1 1",
        "position eDP-1 0 0", "enable DP-1", "position DP-1 -800 0", "disable DP-2", "apply",
      ])
    #expect(running.outputs.first?.transform == .rotated90)
  }

  @Test func `a completion handler may release the backend`() throws {
    let fake = try Fake(Self.panel, Self.monitor)
    let loop = try EventLoop()
    var backend: WlrootsBackend? = try WlrootsBackend(loop: loop, display: fake.path)
    var isReported = false
    try backend?.start(report: { _ in isReported = true }, gone: { _ in })
    try loop.wait(for: "the outputs") { isReported }
    backend?.apply(.rotated90, to: "eDP-1") { _ in backend = nil }
    try loop.wait(for: "the answer") { backend == nil }
    try loop.settle()
    #expect(fake.applies == 1)
  }

  @Test func `rotating back restores the layout`() throws {
    let fake = try Fake(Self.panel, Self.monitor)
    let running = try Running(fake)
    for transform in [DisplayTransform.rotated90, .rotated180, .rotated270, .none] {
      try running.rotate("eDP-1", transform).get()
      #expect(running.outputs.first?.transform == transform)
    }
    #expect(fake.log.last { $0.hasPrefix("position HDMI-A-1") } == "position HDMI-A-1 1920 0")
    #expect(fake.log.last { $0.hasPrefix("position eDP-1") } == "position eDP-1 0 0")
  }

  @Test func `rotating back restores the neighbour above`() throws {
    let fake = try Fake("head eDP-1 1280 800 10 768", "head HDMI-A-1 1024 768 1010 0")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.log.last { $0.hasPrefix("position HDMI-A-1") } != "position HDMI-A-1 1010 0")
    try running.rotate("eDP-1", .none).get()
    #expect(fake.log.last { $0.hasPrefix("position HDMI-A-1") } == "position HDMI-A-1 1010 0")
    try running.rotate("eDP-1", .rotated270).get()
    try running.rotate("eDP-1", .none).get()
    #expect(fake.log.last { $0.hasPrefix("position HDMI-A-1") } == "position HDMI-A-1 1010 0")
  }

  @Test func `a flipped image stays flipped`() throws {
    let fake = try Fake(Self.panel, "set eDP-1 transform 4")
    let running = try Running(fake)
    #expect(running.outputs.first?.transform == DisplayTransform.none)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.log.contains("transform eDP-1 5"))
  }

  @Test func `simultaneous requests are handled in order`() throws {
    let fake = try Fake(Self.panel)
    let running = try Running(fake)
    var results: [Bool] = []
    for transform in [DisplayTransform.rotated90, .rotated180, .none] {
      running.backend.apply(transform, to: "eDP-1") { results.append((try? $0.get()) != nil) }
    }
    #expect(results.isEmpty)
    try running.wait("three rotations") { results.count == 3 }
    #expect(results == [true, true, true])
    #expect(fake.log.filter { $0.hasPrefix("transform") }.map { $0.last } == ["1", "2", "0"])
  }

  @Test func `an output that is disabled and enabled is reported`() throws {
    let fake = try Fake(Self.panel, Self.monitor)
    let running = try Running(fake)
    for isEnabled in [false, true] {
      fake.run("set eDP-1 enabled \(isEnabled ? 1 : 0)")
      fake.run("done")
      try running.wait("enabled: \(isEnabled)") { running.outputs.first?.isActive == isEnabled }
    }
    try running.rotate("eDP-1", .rotated90).get()
  }

  /// labwc does not report it, and switches on an output that is rotated; holding the power object would block other
  /// clients.
  @Test func `an output that is off is reported and not rotated`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "output eDP-1 1920 1080", "output HDMI-A-1 1280 720")
    let running = try Running(fake)
    for _ in 0..<2 {
      fake.run("power eDP-1 0")
      #expect(try running.failure("eDP-1", .rotated90).contains("eDP-1 is blanked"))
      #expect(running.outputs.map(\.isActive) == [false, true])
      fake.run("power eDP-1 1")
      try running.wait("power on") { running.outputs.first?.isActive == true }
    }
    #expect(fake.applies == 0)
    try running.rotate("eDP-1", .rotated90).get()
    fake.run("power eDP-1 0")
  }

  /// labwc since 0.9 reports neither power off nor power on.
  @Test func `power on is detected without an event`() throws {
    let fake = try Fake(Self.panel, "output eDP-1 1920 1080", "power eDP-1 0")
    let running = try Running(fake)
    fake.run("power eDP-1 2")
    try running.wait("power on") { running.outputs.first?.isActive == true }
  }

  /// labwc since 0.9, and sway before 1.9: a script switches the screen on while the user is idle.
  @Test func `power on without user activity is detected`() throws {
    let fake = try Fake(Self.panel, "output eDP-1 1920 1080", "power eDP-1 0", "seat")
    let running = try Running(fake)
    try running.wait("the watch") { fake.can("idle") }
    // The frequent checks after power off are over.
    try running.wait("the slow checks") {
      try running.loop.runPending()
      return running.loop.nextTimer.map { $0 > PowerSchedule.shortInterval } ?? false
    }
    fake.run("touch")
    try running.wait("checks after the activity") {
      try running.loop.runPending()
      return running.loop.nextTimer.map { $0 <= PowerSchedule.shortInterval } ?? false
    }
    fake.run("power eDP-1 2")
    try running.wait("power on") { running.outputs.first?.isActive == true }
    try running.wait("the end of the watch, since it is on") { !fake.can("idle") }
  }

  @Test func `no output is checked in an inactive session`() throws {
    let fake = try Fake(Self.panel, "output eDP-1 1920 1080", "power eDP-1 0", "seat")
    let running = try Running(fake)
    try running.wait("the watch") { fake.can("idle") }
    running.backend.visibilityChanged(isVisible: false)
    try running.wait("the end of the watch") { !fake.can("idle") }
    fake.run("power eDP-1 2")
    try running.loop.settle()
    #expect(running.outputs.first?.isActive == false)
    running.backend.visibilityChanged(isVisible: true)
    try running.wait("power on") { running.outputs.first?.isActive == true }
  }

  /// phoc and wayfire report when the head is enabled again.
  @Test func `a disabled head is not checked`() throws {
    let fake = try Fake(Self.panel, "output eDP-1 1920 1080", "power eDP-1 0", "set eDP-1 enabled 0", "seat")
    let running = try Running(fake)
    try running.loop.settle()
    #expect(!fake.can("idle"))
    fake.run("power eDP-1 2")
    fake.run("set eDP-1 enabled 1")
    fake.run("done")
    try running.wait("power on") { running.outputs.first?.isActive == true }
  }

  /// Power off was noticed only by a failed rotation: the sensor stayed on all night.
  @Test func `power off is detected while the user is idle`() throws {
    let fake = try Fake(Self.panel, "output eDP-1 1920 1080", "seat")
    let running = try Running(fake)
    #expect(!fake.can("idle"), "it is not needed")
    running.backend.watchForBlanking(true)
    try running.wait("the watch") { fake.can("power eDP-1 0") && fake.can("idle") }
    try running.wait("power off") { running.outputs.first?.isActive == false }
    fake.run("power eDP-1 2")
    try running.wait("power on") { running.outputs.first?.isActive == true }
    running.backend.watchForBlanking(false)
    try running.wait("the end of the watch") { !fake.can("idle") }
  }

  @Test func `an output that is off at the start is reported`() throws {
    let fake = try Fake(Self.panel, "output eDP-1 1920 1080", "power eDP-1 0")
    #expect(try Running(fake).outputs.first?.isActive == false)
  }

  @Test func `an unknown output is named`() throws {
    let fake = try Fake(Self.panel)
    let running = try Running(fake)
    #expect(try running.failure("eDP-7").contains("there is no output “eDP-7” (connected: eDP-1)"))
    #expect(fake.applies == 0)
  }

  @Test func `a disabled output is not rotated`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "set eDP-1 enabled 0")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1").contains("eDP-1 is switched off"))
    #expect(fake.applies == 0)
  }

  /// sway 1.7 would switch all of them off.
  @Test func `nothing is sent when all outputs are reported off`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "set eDP-1 enabled 0", "set HDMI-A-1 enabled 0")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1").contains("--backend sway"))
    #expect(fake.applies == 0)
  }
}

@Suite("failures of wlroots' output management")
@MainActor
struct WlrootsFailureTests {
  private static let panel = "head eDP-1 1920 1080 0 0"
  private static let monitor = "head HDMI-A-1 1280 720 1920 0"

  @Test func `a cancelled rotation is retried`() throws {
    let fake = try Fake(Self.panel, "answer cancel cancel succeed")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.applies == 3)
  }

  @Test func `a compositor that always cancels fails`() throws {
    let fake = try Fake(Self.panel, "answer cancel")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1").contains("kanshi"))
    #expect(fake.applies == OutputRotation.maximumCancellations)
    fake.run("answer succeed")
    try running.rotate("eDP-1", .rotated90).get()
  }

  @Test func `a refusal is retried once`() throws {
    let fake = try Fake(Self.panel, "answer fail succeed")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    fake.run("answer fail")
    #expect(try running.failure("eDP-1", .none).contains("refused to rotate eDP-1"))
    #expect(fake.applies == 2 + OutputRotation.maximumFailures)
  }

  @Test func `success without effect is a failure`() throws {
    let fake = try Fake(Self.panel, "answer lie")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1").contains("but shows it not rotated"))
  }

  @Test func `a misplaced output is placed again`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "answer astray succeed")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.applies == 2)
    #expect(fake.positions == ["eDP-1 0 0", "HDMI-A-1 1080 0"])
  }

  @Test func `a refusal after a misplaced output is retried`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "answer astray fail succeed")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.applies == 3)
    #expect(fake.positions == ["eDP-1 0 0", "HDMI-A-1 1080 0"])
    fake.run("answer astray fail fail succeed")
    #expect(try running.failure("eDP-1", .none).contains("refused to rotate eDP-1"))
    #expect(fake.positions == ["eDP-1 0 0", "HDMI-A-1 1080 0"])
  }

  @Test func `outputs that cannot be placed are restored`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "answer astray astray succeed")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1", .rotated90).contains("eDP-1 is rotated back"))
    #expect(fake.applies == 3)
    #expect(fake.positions == ["eDP-1 0 0", "HDMI-A-1 1920 0"])
    #expect(running.outputs.first?.transform == DisplayTransform.none)
  }

  @Test func `a failed restoration is reported`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "answer astray astray lie")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1", .rotated90).contains("nor put the outputs back"))
    #expect(fake.applies == 3)
  }

  @Test func `a moved desktop origin is tolerated`() throws {
    let fake = try Fake(Self.panel, "answer astray")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.applies == OutputRotation.maximumFailures)
  }

  @Test func `two panels that do not rotate together are restored`() throws {
    let fake = try Fake(Self.panel, "head eDP-2 1920 1080 1920 0", "answer half succeed")
    let running = try Running(fake)
    let both = ["eDP-1", "eDP-2"].map { PanelRotation($0, to: .rotated90) }
    let result = try running.rotate(both)
    #expect(result.sentence.contains("but shows it not rotated"))
    #expect(running.outputs.map(\.transform) == [.none, .none])
  }

  @Test func `a mode that changes meanwhile begins a new attempt`() throws {
    let fake = try Fake(Self.panel, Self.monitor, "answer resize succeed")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.applies == 2)
  }

  @Test func `success reported before the change is a success`() throws {
    let fake = try Fake(Self.panel, "answer slow")
    let running = try Running(fake)
    try running.rotate("eDP-1", .rotated90).get()
  }

  @Test func `an external rotation right after a rotation is reported`() throws {
    let fake = try Fake(Self.panel, "answer undo")
    let running = try Running(fake)
    let before = running.events.count
    try running.rotate("eDP-1", .rotated90).get()
    try running.wait("the rotation by another program") { running.events.count > before }
    #expect(running.outputs.first?.transform == DisplayTransform.none)
  }

  @Test func `a compositor that does not answer times out`() throws {
    let fake = try Fake(Self.panel, "answer silent succeed")
    let running = try Running(fake, timeout: nil)
    #expect(try running.failure("eDP-1").contains("does not answer"))
    try running.rotate("eDP-1", .rotated90).get()
  }

  /// It was taken for a rotation by the user.
  @Test func `a rotation that may be applied late fails as unanswered`() throws {
    let fake = try Fake(Self.panel, "answer silent")
    let running = try Running(fake, timeout: nil)
    let failure = #expect(throws: Message.self) { try running.rotate("eDP-1", .rotated90).get() }
    #expect(failure?.code == .rotationUnanswered)
    fake.run("set eDP-1 transform 1")
    fake.run("done")
    try running.wait("the late rotation") { running.outputs.first?.transform == .rotated90 }
  }

  @Test func `an output unplugged meanwhile is named`() throws {
    let fake = try Fake(Self.panel, "head HDMI-A-1 1280 720 1920 0", "answer unplug")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1").contains("there is no output “eDP-1” (connected: HDMI-A-1)"))
    #expect(running.outputs.map(\.name) == ["HDMI-A-1"])
    fake.run(Self.panel)
    fake.run("answer succeed")
    fake.run("done")
    try running.wait("its return") { running.outputs.count == 2 }
    try running.rotate("eDP-1", .rotated90).get()
  }

  @Test func `the outputs may change meanwhile`() throws {
    let fake = try Fake(Self.panel)
    let running = try Running(fake)
    fake.run("head HDMI-A-1 1280 720 1920 0")
    fake.run("done")
    // Its events have not been read yet.
    try running.rotate("eDP-1", .rotated90).get()
    #expect(fake.applies == 2)
    #expect(fake.log.contains("position HDMI-A-1 1080 0"))
  }

  @Test func `a compositor that ends meanwhile is reported`() throws {
    let fake = try Fake(Self.panel, "answer die")
    let running = try Running(fake)
    #expect(try running.failure("eDP-1").contains("the compositor has ended"))
    #expect(running.gone == ["the compositor has ended"])
    #expect(try running.failure("eDP-1").contains("the compositor has ended"))
    #expect(running.gone.count == 1)
  }

  @Test(arguments: ["answer error", "error"])
  func `a protocol error is reported`(command: String) throws {
    let fake = try Fake(Self.panel)
    let running = try Running(fake)
    fake.run(command)
    if command != "error" { _ = try running.failure("eDP-1") }
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone.count == 1)
    #expect(running.gone.first?.contains("tests do not like you") ?? false, "\(running.gone)")
  }

  @Test func `withdrawn outputs end the backend`() throws {
    let fake = try Fake(Self.panel)
    let running = try Running(fake)
    fake.run("finish")
    try running.wait("the end") { running.gone == ["the compositor has withdrawn its outputs"] }
  }

  @Test func `a compositor without output management is named`() throws {
    let fake = try Fake("offer outputs 0")
    #expect(throws: Message.compositor(on: fake.path, lacks: "wlr-output-management")) {
      try Running(fake)
    }
  }

  @Test func `a hung compositor fails each rotation in time`() throws {
    let fake = try Fake(Self.panel)
    let running = try Running(fake, timeout: nil)
    fake.run("hang")
    #expect(try running.failure("eDP-1").contains("does not answer"))
    #expect(running.gone.isEmpty)
  }

  @Test func `invalid heads are tolerated`() throws {
    let fake = try Fake(
      "head - 100 100 0 0", "head eDP-1 0 0 0 0", "head B -5 0 2147483647 -2147483648",
      "head C 2147483647 2147483647 2147483647 2147483647", "head eDP-1 1 1 0 0", "set B transform 9",
      "set C transform -1")
    let running = try Running(fake)
    #expect(running.outputs.map(\.name) == ["eDP-1", "B", "C", "eDP-1"])
    #expect(running.outputs.allSatisfy { $0.transform == .none })
    try running.rotate("C", .rotated90).get()
    try running.rotate("eDP-1", .rotated180).get()
    #expect(!fake.log.contains { $0.hasPrefix("transform B") })
    #expect(fake.log.filter { $0.hasPrefix("enable") }.count == 10)
  }

  @Test func `a thousand heads are tolerated`() throws {
    let fake = try Fake()
    for number in 0..<1000 { fake.run("head H\(number) 100 50 \(number * 100) 0") }
    let running = try Running(fake)
    #expect(running.outputs.count == 1000)
    try running.rotate("H7", .rotated90).get()
    #expect(running.outputs[7].transform == .rotated90)
  }
}
