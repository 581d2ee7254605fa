// SPDX-License-Identifier: MIT

import Autorotation
import PrivateBus
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

@Suite("KWin's outputs")
@MainActor
struct KDEBackendTests {
  private static let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)
  private static let monitor = Output(
    name: "HDMI-A-1", isBuiltIn: false, isExternal: true, x: 1280, width: 1024, height: 768)

  private nonisolated static let versions = [Fake.KWinVersion.plasma5, .plasma6, .plasma67]

  private func start(_ kwin: Fake) throws -> Running<KDEBackend> { try Running<KDEBackend>(kwin, bus: nil) }

  @Test(arguments: versions)
  func `the outputs are reported first`(version: Fake.KWinVersion) throws {
    let running = try start(Fake.kwin(version))
    #expect(running.events == [.outputsChanged([Self.panel, Self.monitor]), .focusChanged(nil)])
    #expect(running.notes.sentences.count == 1)
    #expect(running.notes.sentences[0].contains("the focused app is unknown"))
  }

  @Test func `a compositor that is not KWin is named`() throws {
    let fake = try Fake("output A 800 600")
    let missing = Message.compositor(on: fake.path, lacks: "kde_output_management_v2 (KWin)")
    #expect(throws: missing) { try KDEBackend(loop: EventLoop(), display: fake.path) }
  }

  @Test(arguments: versions)
  func `a rotation moves the neighbour`(version: Fake.KWinVersion) throws {
    let kwin = try Fake.kwin(version)
    let running = try start(kwin)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(kwin.log == ["transform eDP-1 1", "x eDP-1 0", "x HDMI-A-1 800", "apply"])
    #expect(running.outputs.first?.transform == .rotated90)
    try running.rotate("eDP-1", .rotated180).get()
    try running.rotate("eDP-1", .none).get()
    let places = ["x eDP-1 0", "x HDMI-A-1 1280", "apply"]
    #expect(Array(kwin.log.dropFirst(4)) == ["transform eDP-1 2"] + places + ["transform eDP-1 0"] + places)
    #expect(running.outputs == [Self.panel, Self.monitor])
  }

  @Test func `rotations are applied one after the other`() throws {
    let kwin = try Fake.kwin()
    let running = try start(kwin)
    var results: [Bool] = []
    for transform in [DisplayTransform.rotated90, .none] {
      running.backend.apply(transform, to: "eDP-1") { results.append($0.isSuccess) }
    }
    try running.wait("both") { results == [true, true] }
    #expect(kwin.log.filter { $0.hasPrefix("transform") } == ["transform eDP-1 1", "transform eDP-1 0"])
  }

  @Test func `the change may come after KWin's answer`() throws {
    let kwin = try Fake.kwin()
    kwin.run("answer slow")
    let running = try start(kwin)
    try running.rotate("eDP-1", .rotated270).get()
    #expect(running.outputs.first?.transform == .rotated270)
  }

  /// KWin applies it after the timeout, and before the next one.
  @Test func `a late rotation leaves no neighbour misplaced`() throws {
    let kwin = try Fake.kwin()
    let running = try start(kwin)
    kwin.run("kwin set HDMI-A-1 x 800")
    try running.rotate("eDP-1", .rotated180).get()
    #expect(running.outputs.last?.x == 1280)
  }

  @Test func `a refusal is reported with KWin's reason`() throws {
    let kwin = try Fake.kwin()
    kwin.run("answer fail succeed")
    let running = try start(kwin)
    let refusal = try running.rotate("eDP-1", .rotated90).sentence
    #expect(refusal.hasPrefix("KWin refused to rotate eDP-1 (no CRTC was left): try `kscreen-doctor"))
    #expect(kwin.applies == 1)
    try running.rotate("eDP-1", .rotated90).get()
  }

  @Test func `an older KWin refuses without a reason`() throws {
    let kwin = try Fake.kwin(.plasma5)
    kwin.run("answer fail")
    let refusal = try start(kwin).rotate("eDP-1", .rotated90).sentence
    #expect(refusal.hasPrefix("KWin refused to rotate eDP-1: try"))
  }

  @Test(arguments: versions)
  func `an output unplugged during a rotation is retried`(version: Fake.KWinVersion) throws {
    let kwin = try Fake.kwin(version)
    kwin.run("answer unplug succeed")
    let running = try start(kwin)
    try running.rotate("eDP-1", .rotated90).get()
    #expect(kwin.applies == 2 && running.outputs.map(\.name) == ["eDP-1"])
  }

  @Test func `a rotation is sent three times at most`() throws {
    let kwin = try Fake.kwin()
    for number in 1...4 { kwin.run("kwin output DP-\(number) 100 100 \(3000 * number) 0") }
    kwin.run("answer unplug")
    let running = try start(kwin)
    #expect(try !running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(kwin.applies == 3)
  }

  @Test func `a panel unplugged during its rotation is named`() throws {
    let kwin = try Fake("kwin offer 11 12", "kwin output eDP-1 1280 800 0 32", "answer unplug")
    let running = try start(kwin)
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("eDP-1"))
    #expect(kwin.applies == 1)
    #expect(running.outputs.isEmpty)
  }

  @Test func `unknown outputs and disabled ones are refused`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set HDMI-A-1 enabled 0")
    let running = try start(kwin)
    #expect(try running.rotate("DP-9", .rotated90).sentence.contains("eDP-1, HDMI-A-1"))
    let disabled = try running.rotate("HDMI-A-1", .rotated90).sentence
    #expect(disabled.contains("kscreen-doctor output.HDMI-A-1.enable"))
    #expect(kwin.log.isEmpty)
  }

  @Test func `changes by others are reported`() throws {
    let kwin = try Fake.kwin()
    let running = try start(kwin)
    kwin.run("kwin set eDP-1 transform 3")
    try running.wait("the rotation") { running.outputs[0].transform == .rotated270 }
    kwin.run("kwin set eDP-1 enabled 0")
    try running.wait("an output less") { !running.outputs[0].isActive }
    kwin.run("kwin set eDP-1 enabled 1")
    try running.wait("the output") { running.outputs[0].isActive }
    kwin.run("kwin unplug HDMI-A-1")
    try running.wait("the unplugging") { running.outputs.map(\.name) == ["eDP-1"] }
    kwin.run("kwin output DP-3 800 600 1280 0")
    try running.wait("the monitor") { running.outputs.map(\.name) == ["eDP-1", "DP-3"] }
  }

  @Test func `an output removed from the registry is reported`() throws {
    let kwin = try Fake.kwin(.plasma67)
    let running = try start(kwin)
    kwin.run("kwin unplug HDMI-A-1")
    try running.wait("the unplugging") { running.outputs.map(\.name) == ["eDP-1"] }
  }

  @Test func `an output without power is not active`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 power 3")
    let running = try start(kwin)
    #expect(running.outputs.map(\.isActive) == [false, true])
    kwin.run("kwin set eDP-1 power 0")
    try running.wait("the power") { running.outputs.map(\.isActive) == [true, true] }
    kwin.run("kwin set HDMI-A-1 power 1")
    try running.wait("standby") { running.outputs.map(\.isActive) == [true, false] }
  }

  @Test func `a scale beyond KWin's range is ignored`() throws {
    let kwin = try Fake.kwin()
    kwin.run("kwin set eDP-1 scale 2")
    kwin.run("kwin set HDMI-A-1 x 640")
    let running = try start(kwin)
    kwin.run("kwin set eDP-1 scale 0")
    kwin.run("kwin set eDP-1 transform 2")
    try running.wait("the other rotation") { running.outputs[0].transform == .rotated180 }
    try running.rotate("eDP-1", .rotated90).get()
    #expect(kwin.log.contains("x HDMI-A-1 400"))
  }

  @Test func `KWin's end during a rotation is reported`() throws {
    let kwin = try Fake.kwin()
    kwin.run("answer die")
    let running = try start(kwin)
    running.backend.apply(.rotated90, to: "eDP-1") { _ in }
    try running.wait("the end") { !running.gone.isEmpty }
    try running.loop.runPending()
    #expect(running.gone == ["the compositor has ended"])
    #expect(running.loop.nextTimer == nil)
  }

  @Test func `KWin in tablet mode keeps no orientation`() throws {
    let kwin = try Fake.kwin()
    let running = try start(kwin)
    var answers: [Bool] = []
    let ask = { running.backend.askWhetherOrientationIsKept { answers.append($0) } }
    ask()
    #expect(answers == [true], "the mode is unknown without a bus")
    kwin.run("kwin set eDP-1 policy 2")
    try running.wait("the policy") { running.desktopRotates != nil }
    ask()
    #expect(answers == [true, false])
  }
}
