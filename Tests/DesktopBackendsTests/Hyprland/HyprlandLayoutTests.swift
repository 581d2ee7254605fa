// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import DesktopBackends

@Suite("Hyprland's layout")
@MainActor
struct HyprlandLayoutTests {
  @Test func turningBackPutsTheNeighbourAboveWhereItWas() throws {
    let running = try RunningHyprland(["eDP-1": (0, 768, 1280, 800), "HDMI-A-1": (1000, 0, 1024, 768)])
    #expect(try running.desktop.turn("eDP-1", .turned90).isSuccess)
    #expect(running.places["HDMI-A-1"] != [1000, 0])
    #expect(try running.desktop.turn("eDP-1", .none).isSuccess)
    #expect(running.places == ["eDP-1": [0, 768], "HDMI-A-1": [1000, 0]])
  }
}

/// A Hyprland whose monitors do as they are told by whole rules.
@MainActor
private final class RunningHyprland {
  typealias Monitor = (x: Int, y: Int, width: Int, height: Int)
  private(set) var monitors: [String: Monitor]
  private var transforms: [String: Int] = [:]
  private var running: RunningDesktop?

  init(_ monitors: [String: Monitor]) throws {
    self.monitors = monitors
    var hyprland: FakeHyprland?
    running = try RunningDesktop { loop, note in
      let fake = try FakeHyprland(loop: loop, answer: { [unowned self] in answer($0) })
      hyprland = fake
      return try HyprlandBackend(loop: loop, place: try fake.place(), note: note)
    }
    running?.other = hyprland
  }

  var desktop: RunningDesktop {
    get throws { try #require(running) }
  }

  var places: [String: [Int]] { monitors.mapValues { [$0.x, $0.y] } }

  private func answer(_ request: String) -> String {
    if request == "j/monitors all" { return told }
    guard request.contains("keyword monitor") else { return "{}" }
    let commands = request.split(separator: ";").map(String.init)
    for command in commands { obey(command) }
    return commands.map { _ in "ok" }.joined(separator: "\n")
  }

  /// "keyword monitor NAME,MODE,XxY,SCALE,transform,N", or the turn alone, which has no effect here.
  private func obey(_ command: String) {
    let parts = command.split(separator: ",").map(String.init)
    guard parts.count == 6, let name = parts[0].split(separator: " ").last.map(String.init) else { return }
    let place = parts[2].split(separator: "x").compactMap { Int($0) }
    monitors[name]?.x = place[0]
    monitors[name]?.y = place[1]
    transforms[name] = Int(parts[5])
  }

  private var told: String {
    let all = monitors.sorted { $0.key < $1.key }.map { name, monitor in
      #"{"name":"\#(name)","width":\#(monitor.width),"height":\#(monitor.height),"x":\#(monitor.x),"#
        + #""y":\#(monitor.y),"scale":1,"transform":\#(transforms[name] ?? 0),"disabled":false}"#
    }
    return "[" + all.joined(separator: ",") + "]"
  }
}
