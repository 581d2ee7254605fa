// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing

@testable import DesktopBackends

/// sway's values and commands, without a sway.
@Suite("sway's values")
@MainActor
struct SwayValuesTests {
  @Test(arguments: [
    (DisplayTransform.none, "normal", "flipped"), (.rotated90, "270", "flipped-270"),
    (.rotated180, "180", "flipped-180"), (.rotated270, "90", "flipped-90"),
  ])
  func `angles are counted clockwise`(_ rotation: DisplayTransform, _ word: String, _ flipped: String) {
    for (word, isFlipped) in [(word, false), (flipped, true)] {
      let output = JSONValue(#"{"name":"eDP-1","transform":"\#(word)"}"#).flatMap(
        CompositorOutput.init(sway:))
      #expect(output?.rotation == rotation && output?.isFlipped == isFlipped)
      #expect(output?.swayTransform == word)
    }
  }

  @Test func `an output has its scale and its place`() throws {
    let text = #"{"name":"eDP-1","scale":1.5,"rect":{"x":7,"y":-5,"width":853,"height":533}}"#
    let output = try #require(JSONValue(text).flatMap(CompositorOutput.init(sway:))).output
    #expect(output.scale == 1.5)
    #expect((output.x, output.y) == (7, -5))
  }

  @Test(arguments: [
    ("input 1:2:A map_to_output eDP-1", true), ("input type:touch map_to_region 0 0 1 1", true),
    ("input * map_to_output eDP-1", true), ("input \"1:2:A\" map_to_output eDP-1", true),
    ("input 1:2:A {\n  # why\n  map_to_output eDP-1\n}", true),
    ("input type:touch {\n}\nmap_to_output eDP-1", false),
    ("# input 1:2:A map_to_output eDP-1", false), ("input 1:2:B map_to_output eDP-1", false),
    ("input type:pointer { \n map_to_output eDP-1\n }\ninput 1:2:A tap enabled", false), ("", false),
  ])
  func `mappings of the user are found in the configuration`(_ text: String, _ maps: Bool) {
    let touchscreen = SwayInput(identifier: "1:2:A", name: "A", type: "touch")
    #expect(SwayConfiguration(text).maps(touchscreen) == maps)
  }

  @Test func `devices are chosen by name or identifier`() {
    let finger = SwayInput(identifier: "1386:1:Wacom_Finger", name: "Wacom Finger", type: "touch")
    let tablet = SwayInput(identifier: "1386:2:Intuos", name: "Intuos", type: "tablet_tool")
    let pad = SwayInput(identifier: "2:7:Pad", name: "Pad", type: "pointer")
    let all = DisplaySettings()
    #expect(finger.isWanted(by: all) && tablet.isWanted(by: all))
    #expect(!pad.isWanted(by: all))
    #expect(!finger.isWanted(by: DisplaySettings(ignoredDevices: ["1386:1:*"])))
    let only = DisplaySettings(touchDevices: ["intuos"])
    #expect(tablet.isWanted(by: only) && !finger.isWanted(by: only))
  }

  private static let tree = """
    {"id":1,"type":"root","focus":[3],"nodes":[{"id":3,"type":"output","name":"eDP-1","focus":[4],"nodes":[
    {"id":4,"type":"workspace","focus":[FOCUS],"fullscreen_mode":1,"nodes":[
      {"id":5,"type":"con","pid":7,"app_id":"mpv","fullscreen_mode":1,"focus":[],"nodes":[],"floating_nodes":[]},
      {"id":6,"type":"con","pid":9,"app_id":null,"window":33,"fullscreen_mode":0,"focus":[],"nodes":[],
        "window_properties":{"class":"Gimp","instance":"gimp","transient_for":null},"floating_nodes":[]}],
     "floating_nodes":[
      {"id":7,"type":"floating_con","pid":5,"app_id":"mpv","fullscreen_mode":0,"focus":[],"nodes":[],"floating_nodes":[]},
      {"id":8,"type":"floating_con","pid":7,"app_id":"mpv","fullscreen_mode":0,"focus":[],"nodes":[],"floating_nodes":[]},
      {"id":9,"type":"floating_con","pid":2,"app_id":null,"window":44,"fullscreen_mode":0,"focus":[],"nodes":[],
        "window_properties":{"class":"Dialog","transient_for":33},"floating_nodes":[]}]}]}],"floating_nodes":[]}
    """

  private func window(_ focus: inout SwayFocus, focused: String) throws -> Window? {
    let text = Self.tree.split(separator: "FOCUS").joined(separator: "\(focused)")
    let value = try #require(JSONValue(text))
    return focus.window(in: SwayTree(root: value))
  }

  @Test func `a dialog counts as its parent`() throws {
    var focus = SwayFocus()
    let player = try window(&focus, focused: "5")
    #expect(player?.identifiers == ["mpv"] && player?.isFullscreen == true && player?.output == "eDP-1")
    #expect(try window(&focus, focused: "8") == player)
    let other = try window(&focus, focused: "7")
    #expect(other?.isFullscreen == false && other != player, "another process")
    let editor = try window(&focus, focused: "6")
    #expect(editor?.identifiers == ["Gimp", "gimp"] && editor?.isFullscreen == false)
    #expect(try window(&focus, focused: "9") == editor)
    #expect(try window(&focus, focused: "") == nil)
    #expect(try window(&focus, focused: "99") == nil)
  }

  @Test func `the display's sway is found despite a stale socket`() throws {
    let loop = try EventLoop()
    let runtime = try TemporaryDirectory()
    let directory = runtime.path
    var environment = ["XDG_RUNTIME_DIR": directory, "SWAYSOCK": "\(directory)/sway-ipc.0.1.sock"]
    let find = { try SocketSearch { environment[$0] }.find(SwayDialect.profile).socket }
    let profile = SwayDialect.profile
    let bus = try FakeServer(loop: loop, path: "\(directory)/bus") { _ in }
    #expect(throws: Message.stale("\(directory)/sway-ipc.0.1.sock", of: profile)) { try find() }
    environment["SWAYSOCK"] = nil
    #expect(throws: Message.none(of: profile)) { try find() }
    let first = try FakeServer(loop: loop, path: "\(directory)/sway-ipc.0.2.sock") { _ in }
    #expect(try find().listener == getpid())
    let second = try FakeServer(loop: loop, path: "\(directory)/sway-ipc.0.3.sock") { _ in }
    #expect(throws: Message.several([first.path, second.path], of: profile)) { try find() }
    let display = try FakeServer(loop: loop, path: "\(directory)/wayland-1") { _ in }
    environment["WAYLAND_DISPLAY"] = "wayland-1"
    #expect(try find().listener == getpid())
    withExtendedLifetime((runtime, bus, first, second, display)) {}
  }

  /// A socket below /tmp, whose compositor has ended, was another user's.
  @Test func `another user cannot pose as the compositor`() throws {
    let directory = try TemporaryDirectory()
    let other = getuid() + 12345
    #expect(UnixSocket.isTrusted(getuid()) && UnixSocket.isTrusted(0))
    #expect(!UnixSocket.isTrusted(other, in: directory.path) && !UnixSocket.isTrusted(other, in: nil))
    guard getuid() == 0 else { return }
    #expect(chown(directory.path, other, other) == 0)
    #expect(UnixSocket.isTrusted(other, in: directory.path), "root runs a command in a user's session")
  }

  @Test(arguments: [
    ("{\"a\":[1,null,\"é\\u0000x\",2.5,true]}", true), ("[1,]", false), ("01", false), ("{}{}", false),
    ("{}\0{}", false),
    ("", false),
    ("\u{feff}{}", false), (String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000), false),
    ("{a:1}", false), ("1e999", true), ("  {}  ", true),
  ])
  func `JSON is read strictly`(_ text: String, _ isRead: Bool) {
    withKnownIssue("json-c 0.18", isIntermittent: true) {
      #expect((JSONValue(text) != nil) == isRead)
    } when: {
      !JSONValue.isStrict
    }
  }

  @Test func `values of another type are nil`() throws {
    let value = try #require(JSONValue(#"{"a":"1","b":1,"c":[1,null,2],"d":null,"e":{"f":2.5}}"#))
    #expect(value["a"]?.int == nil && value["a"]?.string == "1" && value["b"]?.string == nil)
    #expect(value["c"]?.elements.compactMap(\.int) == [1, 2] && value["c"]?["x"] == nil)
    #expect(value["d"] == nil && value["e"]?["f"]?.double == 2.5 && value["b"]?.double == 1)
    #expect(value["a"]?.elements.isEmpty == true && value["c"]?.members.isEmpty == true)
    #expect(value["b"]?.bool == nil && value["a"]?.bool == nil)
    #expect(value.members.map(\.key) == ["a", "b", "c", "e"])
  }

  @Test func `kinds of changes are distinct`() {
    let all: [CompositorChanges] = [.outputs, .focus, .devices, .configuration]
    #expect(all.map(\.rawValue.nonzeroBitCount) == [1, 1, 1, 1])
    #expect(CompositorChanges(all).rawValue.nonzeroBitCount == all.count)
  }
}
