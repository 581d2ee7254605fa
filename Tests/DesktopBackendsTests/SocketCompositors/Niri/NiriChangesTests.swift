// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// A niri with two outputs that obey requests.
@Suite("niri's changes", .serialized)
@MainActor
struct NiriChangesTests {
  @MainActor
  private final class Niri {
    var panel = (x: 0, y: 768, transform: "Normal", isOn: true)
    var monitor = (x: 1000, y: 0)
    /// Where a rotation of the panel moves the monitor, and where it may not be placed.
    var movesMonitorTo: (x: Int, y: Int)?
    var refused: [Int] = []
    private(set) var reads = 0
    private(set) var commands: [String] = []
    private(set) var server: FakeServer?
    private var listener: FakeServer.Client?

    func start() throws -> RunningDesktop {
      let running = try RunningDesktop { [self] loop, note in
        let fake = try FakeServer(loop: loop) { [unowned self] in receive($0) }
        server = fake
        let socket = try CompositorSocket(connectingTo: fake.path)
        let context = CompositorContext(loop: loop, note: note)
        return try CompositorBackend(NiriDialect(path: fake.path, socket: socket, context), context)
      }
      running.other = server
      try running.wait("outputs") { running.output("eDP-1") != nil }
      return running
    }

    func sendEvent(_ event: String) { listener?.write(event + "\n") }

    private func receive(_ client: FakeServer.Client) {
      guard client.received.last == UInt8(ascii: "\n") else { return }
      let line = String(decoding: client.consume(client.received.count).dropLast(), as: UTF8.self)
      if line == "\"EventStream\"" { return listener = client }
      client.write(line == "\"Outputs\"" ? outputs + "\n" : execute(line) + "\n")
    }

    private var outputs: String {
      reads += 1
      let isOnItsSide = ["90", "270"].contains(panel.transform)
      let (width, height) = isOnItsSide ? (800, 1280) : (1280, 800)
      let logical =
        panel.isOn
        ? #"{"x":\#(panel.x),"y":\#(panel.y),"width":\#(width),"height":\#(height),"#
          + #""transform":"\#(panel.transform)"}"# : "null"
      return
        #"{"Ok":{"Outputs":{"eDP-1":{"modes":[{"width":1280,"height":800}],"current_mode":0,"logical":\#(logical)},"#
        + #""HDMI-A-1":{"modes":[{"width":1024,"height":768}],"current_mode":0,"logical":{"x":\#(monitor.x),"#
        + #""y":\#(monitor.y),"width":1024,"height":768,"transform":"Normal"}}}}}"#
    }

    private func execute(_ line: String) -> String {
      commands.append(line)
      let value = JSONValue(Array(line.utf8))?["Output"]
      let name = value?["output"]?.string
      if let transform = value?["action"]?["Transform"]?["transform"]?.string {
        panel.transform = transform
        if let movesMonitorTo { monitor = movesMonitorTo }
      }
      if let place = value?["action"]?["Position"]?["position"]?["Specific"],
        let x = place["x"]?.int, let y = place["y"]?.int
      {
        if name != "eDP-1", refused.contains(x) { return #"{"Err":"not there"}"# }
        if name == "eDP-1" { (panel.x, panel.y) = (x, y) } else { monitor = (x, y) }
      }
      return #"{"Ok":{"OutputConfigChanged":"Applied"}}"#
    }
  }

  private func shown(_ running: RunningDesktop) -> [DisplayTransform?] {
    running.events.compactMap { event in
      if case .outputsChanged(let outputs) = event {
        outputs.first { $0.name == "eDP-1" }?.transform
      } else {
        nil
      }
    }
  }

  @Test func `rotating back restores the neighbour above`() throws {
    let niri = Niri()
    let running = try niri.start()
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    #expect(niri.monitor != (1000, 0))
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    #expect((niri.panel.x, niri.panel.y) == (0, 768))
    #expect(niri.monitor == (1000, 0))
  }

  @Test func `a refused position restores rotation and positions`() throws {
    let niri = Niri()
    let running = try niri.start()
    #expect(try running.rotate("eDP-1", .rotated90).isSuccess)
    niri.refused = [niri.monitor.x]
    #expect(try running.rotate("eDP-1", .none).isSuccess)
    niri.movesMonitorTo = (5000, 0)
    #expect(try running.rotate("eDP-1", .rotated90).sentence.contains("not there"))
    #expect(niri.panel.transform == "Normal" && (niri.panel.x, niri.panel.y) == (0, 768))
    #expect(niri.monitor == (1000, 0))
  }

  @Test func `a rotation from before the start survives a reload`() throws {
    let niri = Niri()
    niri.panel.transform = "90"
    let running = try niri.start()
    niri.panel.transform = "Normal"
    niri.sendEvent(#"{"ConfigLoaded":{"failed":false}}"#)
    try running.wait("the correction") { niri.panel.transform == "90" || shown(running).count > 1 }
    #expect(niri.panel.transform == "90")
    #expect(shown(running) == [.rotated90], "nothing else was requested")
  }

  @Test func `an external rotation between two rotations is reported`() throws {
    let niri = Niri()
    let running = try niri.start()
    try running.rotateBackBetweenRotations { niri.panel.transform = "Normal" }
  }

  @Test func `an output without a place is off`() throws {
    let niri = Niri()
    let running = try niri.start()
    niri.panel.isOn = false
    niri.sendEvent(#"{"WorkspacesChanged":{"workspaces":[]}}"#)
    try running.wait("power off") { running.output("eDP-1")?.isActive == false }
    niri.panel.isOn = true
    niri.sendEvent(#"{"WorkspacesChanged":{"workspaces":[]}}"#)
    try running.wait("power on") { running.output("eDP-1")?.isActive == true }
    #expect(niri.commands.isEmpty && running.notes.isEmpty)
  }
}
