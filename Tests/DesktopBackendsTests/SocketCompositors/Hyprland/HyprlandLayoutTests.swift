// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import DesktopBackends

@Suite("Hyprland's layout")
@MainActor
struct HyprlandLayoutTests {
  @Test func `an idle desktop draws the frame that rotates it`() throws {
    let running = try RunningHyprland(["eDP-1": (0, 0, 1280, 800)])
    #expect(try running.desktop.rotate("eDP-1", .rotated90).isSuccess)
  }

  @Test func `rotating back restores the neighbour above`() throws {
    let running = try RunningHyprland(["eDP-1": (0, 768, 1280, 800), "HDMI-A-1": (1000, 0, 1024, 768)])
    #expect(try running.desktop.rotate("eDP-1", .rotated90).isSuccess)
    #expect(running.places["HDMI-A-1"] != [1000, 0])
    #expect(try running.desktop.rotate("eDP-1", .none).isSuccess)
    #expect(running.places == ["eDP-1": [0, 768], "HDMI-A-1": [1000, 0]])
  }
}

/// A Hyprland whose monitors accept complete rules only, and apply them when a frame is drawn (0.55). Nothing is moving.
@MainActor
private final class RunningHyprland {
  typealias Monitor = (x: Int, y: Int, width: Int, height: Int)
  private(set) var monitors: [String: Monitor]
  private var transforms: [String: Int] = [:]
  private var rules: [String] = []
  private var running: RunningDesktop?

  init(_ monitors: [String: Monitor]) throws {
    self.monitors = monitors
    var hyprland: FakeHyprland?
    running = try RunningDesktop { loop, note in
      let fake = try FakeHyprland(loop: loop, answer: { [unowned self] in answer($0) })
      hyprland = fake
      let context = CompositorContext(loop: loop, note: note)
      return try CompositorBackend(HyprlandDialect(place: fake.place(), context), context)
    }
    running?.other = hyprland
  }

  var desktop: RunningDesktop {
    get throws { try #require(running) }
  }

  var places: [String: [Int]] { monitors.mapValues { [$0.x, $0.y] } }

  private func answer(_ request: String) -> String {
    if request == "j/monitors all" { return monitorsAnswer }
    if request == "/dismissnotify 0" { return drawFrame() }
    guard request.contains("keyword monitor") else { return "{}" }
    let commands = request.split(separator: ";").map(String.init)
    rules += commands
    return commands.map { _ in "ok" }.joined(separator: "\n")
  }

  private func drawFrame() -> String {
    for rule in rules { execute(rule) }
    rules = []
    return "ok"
  }

  /// "keyword monitor NAME,MODE,XxY,SCALE,transform,N", or the transform alone, which has no effect here.
  private func execute(_ command: String) {
    let parts = command.split(separator: ",").map(String.init)
    guard parts.count == 6, let name = parts[0].split(separator: " ").last.map(String.init) else { return }
    let place = parts[2].split(separator: "x").compactMap { Int($0) }
    monitors[name]?.x = place[0]
    monitors[name]?.y = place[1]
    transforms[name] = Int(parts[5])
  }

  private var monitorsAnswer: String {
    let all = monitors.sorted { $0.key < $1.key }.map { name, monitor in
      #"{"name":"\#(name)","width":\#(monitor.width),"height":\#(monitor.height),"x":\#(monitor.x),"#
        + #""y":\#(monitor.y),"scale":1,"transform":\#(transforms[name] ?? 0),"disabled":false}"#
    }
    return "[" + all.joined(separator: ",") + "]"
  }
}

@Suite("Hyprland's sockets", .serialized)
@MainActor
struct HyprlandPlaceTests {
  @Test func `the instance is found by signature or alone`() throws {
    let directory = try TemporaryDirectory()
    let runtime = directory.path
    var environment = ["XDG_RUNTIME_DIR": runtime, "HYPRLAND_INSTANCE_SIGNATURE": "a_1_2"]
    let find = { try HyprlandPlace.find(SocketSearch { environment[$0] }) }
    #expect(throws: Message.stale("a_1_2", of: HyprlandDialect.profile)) { try find() }
    let servers = try ["a_1_2", "b_3_4"].map { signature in
      try directory.makeDirectory("hypr/\(signature)")
      return try FakeServer(loop: EventLoop(), path: "\(runtime)/hypr/\(signature)/.socket2.sock") { _ in }
    }
    #expect(try find().requests == "\(runtime)/hypr/a_1_2/.socket.sock")
    environment["HYPRLAND_INSTANCE_SIGNATURE"] = nil
    #expect(throws: Message.several(["a_1_2", "b_3_4"], of: HyprlandDialect.profile)) { try find() }
    withExtendedLifetime((directory, servers)) {}
  }
}
