// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

extension OnServer {
  @Suite("rotation")
  @MainActor
  struct Rotation {
    init() throws {
      try Bench.reset()
    }

    @Test func `the first report names both outputs`() throws {
      let running = try RunningBackend()
      #expect(
        running.events == [
          .outputsChanged([
            Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800),
            Output(name: "HDMI-1", isBuiltIn: false, isExternal: true, x: 1280, width: 1024, height: 768),
          ]), .focusChanged(nil),
        ])
    }

    @Test(arguments: ["eDP-1", "HDMI-1"])
    func `every rotation is shown and keeps outputs adjacent`(output: String) throws {
      let running = try RunningBackend()
      let before = try Bench.state()
      for transform in [.rotated90, .rotated180, .rotated270, .rotated90, .none] as [DisplayTransform] {
        try running.rotate(output, transform).get()
        let state = try Bench.state()
        #expect(state.place(of: output)?.randrRotation == transform.randrRotation)
        try expectAdjacent(state)
        try running.wait("the report of the rotation") {
          running.outputs.first { $0.name == output }?.transform == transform
        }
      }
      #expect(try Bench.state().crtcs == before.crtcs)
      Bench.run("xrandr | grep -q '^eDP-1 connected primary'")
    }

    private func expectAdjacent(_ state: RandRState) throws {
      let panel = try #require(state.place(of: "eDP-1")).rectangle
      let monitor = try #require(state.place(of: "HDMI-1")).rectangle
      #expect(panel.touches(monitor) && !panel.overlaps(monitor))
      #expect(state.screen.size.width == panel.width + monitor.width)
      #expect(state.screen.size.height == max(panel.height, monitor.height))
    }

    @Test func `the pixel density does not drift`() throws {
      let running = try RunningBackend()
      let before = try Bench.state().screen
      for _ in 1...10 {
        try running.rotate("eDP-1", .rotated90).get()
        try running.rotate("eDP-1", .none).get()
      }
      let after = try Bench.state().screen
      #expect(after.size == before.size)
      #expect(abs(after.millimetres.width - before.millimetres.width) <= 1)
      #expect(abs(after.millimetres.height - before.millimetres.height) <= 1)
    }

    @Test func `the pixel density is correct before the change event`() throws {
      let randr = try RandR(X11Connection.connect(timeout: EventLoop.limit))
      Bench.run("xrandr --output eDP-1 --rotate left --output HDMI-1 --pos 800x0")
      let early = try randr.read().screen
      let reported = try Bench.state().screen
      #expect(early.size == reported.size)
      #expect(abs(early.millimetres.width - reported.millimetres.width) <= 1)
      #expect(abs(early.millimetres.height - reported.millimetres.height) <= 1)
    }

    @Test func `the same rotation again changes nothing`() throws {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      let before = try Bench.state()
      try running.rotate("eDP-1", .rotated90).get()
      #expect(try Bench.state() == before)
    }

    @Test func `a scale is kept`() throws {
      Bench.run("xrandr --output HDMI-1 --pos 1920x0 --output eDP-1 --scale 1.5x1.5")
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      let state = try Bench.state()
      #expect(state.place(of: "eDP-1")?.rectangle == ScreenRectangle(x: 0, y: 0, width: 1200, height: 1920))
      #expect(state.place(of: "HDMI-1")?.rectangle.x == 1200)
      try running.rotate("eDP-1", .none).get()
      #expect(try Bench.state().place(of: "eDP-1")?.rectangle.width == 1920)
    }

    @Test func `a reflection is kept`() throws {
      Bench.run("xrandr --output eDP-1 --reflect x")
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      #expect(try Bench.state().place(of: "eDP-1")?.randrRotation == 16 | 2)
      let place = try #require(try Bench.state().place(of: "eDP-1"))
      let matrix = try Bench.matrix(of: Bench.touchscreen)
      #expect(matrix.isClose(to: TouchMatrix.mapping(to: place)))
    }

    @Test func `a refused rotation is reverted`() throws {
      let running = try RunningBackend()
      let before = try Bench.state()
      let matrix = try Bench.matrix(of: Bench.touchscreen)
      Bench.bench("refuse on")
      let result = try running.rotate("eDP-1", .rotated90)
      #expect(throws: Message.self) { try result.get() }
      #expect("\(result)".contains("is unchanged"))
      #expect(try Bench.state().crtcs == before.crtcs)
      #expect(try Bench.state().screen.size.width == before.screen.size.width)
      #expect(try Bench.matrix(of: Bench.touchscreen).isClose(to: matrix))
      Bench.bench("refuse off")
      try running.rotate("eDP-1", .rotated90).get()
    }

    @Test func `an unknown output is reported with the connected ones`() throws {
      let result = try RunningBackend().rotate("DSI-7", .rotated90)
      #expect("\(result)".contains("DSI-7") && "\(result)".contains("eDP-1, HDMI-1"))
    }

    @Test func `an output that is off is reported and not rotated`() throws {
      let running = try RunningBackend()
      Bench.run("xrandr --output HDMI-1 --off")
      try running.wait("HDMI-1 to be off") { running.outputs.last?.isActive == false }
      let result = try running.rotate("HDMI-1", .rotated90)
      #expect("\(result)".contains("xrandr --output HDMI-1 --auto"))
      try running.rotate("eDP-1", .rotated90).get()
      #expect(try Bench.state().screen.size.width == 800)
    }

    @Test func `an unplugged output is no longer reported`() throws {
      let running = try RunningBackend()
      Bench.run("xrandr --output HDMI-1 --off")
      Bench.bench("unplug HDMI-1")
      try running.wait("HDMI-1 to be gone") { running.outputs.map(\.name) == ["eDP-1"] }
      Bench.bench("plug HDMI-1")
      try running.wait("HDMI-1 to be back") { running.outputs.count == 2 }
    }

    @Test func `each change is reported once`() throws {
      let running = try RunningBackend()
      try running.rotate("eDP-1", .rotated90).get()
      try running.wait("the report") { running.outputs.first?.transform == .rotated90 }
      let count = running.events.count
      Bench.run("xrandr --output HDMI-1 --pos 800x100")
      Bench.run("xrandr --output eDP-1 --rotate normal")
      try running.wait("the next report") { running.outputs.first?.transform == DisplayTransform.none }
      #expect(running.events.count == count + 1)
    }

    @Test func `a rotation back by another program is reported`() throws {
      let running = try RunningBackend()
      try running.wait("outputs") { !running.events.isEmpty }
      var eventCount: Int?
      running.backend.apply(.rotated90, to: "eDP-1") { _ in
        Bench.run("xrandr --output eDP-1 --rotate normal")
        eventCount = running.events.count
      }
      try running.wait("the rotation back") {
        guard let eventCount, case .outputsChanged(let outputs) = running.events.dropFirst(eventCount).last
        else { return false }
        return outputs.first { $0.name == "eDP-1" }?.transform == DisplayTransform.none
      }
    }
  }
}
