// SPDX-License-Identifier: MIT

import Autorotation
import Mutations
import System
import Testing

@testable import DesktopBackends

/// Tokens that break JSON parsers more often than random bytes.
private let tokens = [
  "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-1", "1e999", "NaN", "9223372036854775808", "-0.0",
  "0.0",
  "\\u0000", "\\ud800", "\n", "\0", "\u{FEFF}", "{}", "[]", "\"eDP-1\"", "100000000000000000",
  "\"flipped-90\"",
  String(repeating: "[", count: 600), String(repeating: "{\"a\":", count: 600),
]

@MainActor
private func planRotation(_ outputs: [CompositorOutput], _ words: CompositorProfile) {
  for (output, transform) in zip(outputs, DisplayTransform.allCases) {
    _ = output.output
    let change = try? LayoutChange(
      [PanelRotation(output.name, to: transform)], among: outputs, visited: ArrangementHistory(), words)
    _ = change?.unmet(.after, in: outputs)
  }
}

/// sway's replies, mutated at random: no crash and no hang, and rotations are planned from whatever is parsed.
@MainActor
struct SwayMutationTests {
  private static let outputs = """
    [{"name":"eDP-1","active":true,"power":true,"dpms":true,"scale":1.5,"transform":"90",
    "current_mode":{"width":1280,"height":800,"refresh":60000},"rect":{"x":0,"y":0,"width":534,"height":854}},
    {"name":"HDMI-A-1","active":true,"scale":1.0,"transform":"flipped-270","modes":[{"width":1024,"height":768}],
    "rect":{"x":534,"y":-10,"width":768,"height":1024}}]
    """
  private static let tree = """
    {"id":1,"type":"root","focus":[3],"nodes":[{"id":3,"type":"output","name":"eDP-1","focus":[5],"nodes":[
    {"id":5,"type":"workspace","focus":[7,8],"fullscreen_mode":1,"nodes":[{"id":7,"pid":47,"type":"con",
    "app_id":"mpv","fullscreen_mode":1,"window":12,"window_properties":{"class":"mpv","transient_for":13}}],
    "floating_nodes":[{"id":8,"pid":47,"type":"floating_con","window":13,
    "window_properties":{"class":"a","instance":"b","transient_for":12}}]}]}]}
    """
  private static let inputs = """
    [{"identifier":"1386:18756:Wacom_HID_4944_Finger","name":"Wacom HID 4944 Finger","type":"touch",
    "libinput":{"send_events":"enabled"}},{"identifier":"1:1:AT_keyboard","type":"keyboard","name":"é"}]
    """
  private static let configuration = """
    input type:touch map_to_output eDP-1
    input "1386:18756:Wacom_HID_4944_Finger" {
      map_to_region 0 0 10 10
    }
    """

  @Test func `no answer crashes or hangs`() {
    MutationRun(usual: 2000).feed(
      [Self.outputs, Self.tree, Self.inputs, Self.configuration].map { Array($0.utf8) }, tokens: tokens
    ) { bytes in
      _ = SwayConfiguration(String(decoding: bytes, as: UTF8.self))
      guard let value = JSONValue(bytes) else { return }
      planRotation(value.elements.compactMap { CompositorOutput(sway: $0) }, SwayDialect.profile)
      for input in value.elements.compactMap({ SwayInput($0) }) {
        _ = input.isWanted(by: .init())
      }
      var focus = SwayFocus()
      _ = focus.window(in: SwayTree(root: value))
    }
  }

  @Test func `no stream crashes or hangs`() {
    let whole =
      SwayMessage(.getOutputs, Self.outputs).bytes + SwayMessage(.getInputs, Self.inputs).bytes
      + SwayMessage(.subscribe, "").bytes
    MutationRun(usual: 2000).feed([whole], tokens: ["i3-ipc", "\0\0\0\0", "\u{7F}"]) { bytes in
      var messages = SwayMessages()
      messages.append(Array(bytes.prefix(bytes.count / 2)))
      while (try? messages.next()) != nil {}
      messages.append(Array(bytes.dropFirst(bytes.count / 2)))
      while (try? messages.next()) != nil {}
    }
  }
}

/// The same for Hyprland's replies.
@MainActor
struct HyprlandMutationTests {
  private static let monitors = """
    [{"id":0,"name":"eDP-1","width":1920,"height":1200,"refreshRate":59.95,"x":0,"y":0,"scale":1.33,"transform":5,
    "dpmsStatus":true,"disabled":false,"currentFormat":"XRGB2101010","mirrorOf":"none"},
    {"id":1,"name":"HDMI-A-1","width":1920,"height":1080,"refreshRate":60.0,"x":1443,"y":-20,"scale":1.00,
    "transform":1,"disabled":false,"mirrorOf":"0"}]
    """
  private static let window = """
    {"address":"0x55d5b4b0d2a0","class":"mpv","initialClass":"mpv","monitor":0,"fullscreen":2,"fullscreenMode":0,
    "windows":1,"lastwindow":"0x55d5b4b0d2a0"}
    """

  @Test func `no answer crashes or hangs`() throws {
    MutationRun(usual: 2000).feed(
      [Self.monitors, Self.window].map { Array($0.utf8) }, tokens: tokens
    ) { bytes in
      guard let value = JSONValue(bytes) else { return }
      let monitors = value.elements.compactMap { CompositorOutput(hyprland: $0) }
      planRotation(monitors, HyprlandDialect.profile)
      for language in [HyprlandLanguage.keywords, .lua] { _ = language.rules(monitors) }
      guard let window = HyprlandFocus.window(value, among: monitors) else { return }
      _ = HyprlandFocus.isBehind(window, value)
    }
  }
}

/// The same for niri's replies.
@MainActor
struct NiriMutationTests {
  private static let outputs = """
    {"Ok":{"Outputs":{"eDP-1":{"name":"eDP-1","modes":[{"width":1920,"height":1200,"refresh_rate":59950,
    "is_preferred":true}],"current_mode":0,"logical":{"x":0,"y":0,"width":1280,"height":800,"scale":1.5,
    "transform":"Flipped90"}},"HDMI-A-1":{"modes":[{"width":1920,"height":1080}],"current_mode":null,
    "logical":{"x":1280,"y":-7,"width":1920,"height":1080,"transform":"Normal"}}}}}
    """
  private static let events = [
    #"{"WorkspacesChanged":{"workspaces":[{"id":1,"output":"eDP-1","is_focused":true,"active_window_id":7}]}}"#,
    #"{"WindowsChanged":{"windows":[{"id":7,"app_id":"foot","workspace_id":1,"is_focused":true,"#
      + #""layout":{"tile_size":[624.0,760.0]}}]}}"#,
    #"{"WindowLayoutsChanged":{"changes":[[7,{"tile_size":[1280.0,800.0]}]]}}"#,
    #"{"WindowOpenedOrChanged":{"window":{"id":8,"app_id":"mpv","workspace_id":1,"is_focused":true}}}"#,
    #"{"WindowClosed":{"id":8}}"#, #"{"WindowFocusChanged":{"id":null}}"#,
    #"{"WorkspaceActivated":{"id":1,"focused":true}}"#,
    #"{"WorkspaceActiveWindowChanged":{"workspace_id":1,"active_window_id":null}}"#,
  ]

  @Test func `no answer crashes or hangs`() throws {
    let niri = try dialect()
    MutationRun(usual: 2000).feed(
      ([Self.outputs] + Self.events).map { Array($0.utf8) }, tokens: tokens
    ) { bytes in
      var outputs: [CompositorOutput] = []
      if case .success(let value) = niri.value(bytes) { outputs = niri.outputs(value) ?? [] }
      planRotation(outputs, NiriDialect.profile)
      _ = try? niri.changes(CompositorMessage(payload: bytes))
      niri.readFocus(on: outputs, before: nil) { _ in }
    }
  }

  private func dialect() throws -> NiriDialect {
    let loop = try EventLoop()
    let server = try FakeServer(loop: loop) { _ in }
    return try NiriDialect(
      path: server.path, socket: CompositorSocket(connectingTo: server.path), CompositorContext(loop: loop))
  }
}
