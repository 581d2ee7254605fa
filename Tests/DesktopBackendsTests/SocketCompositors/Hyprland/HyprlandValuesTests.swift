// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// Hyprland's answers, without a Hyprland.
@MainActor
struct HyprlandValuesTests {
  private func monitor(_ members: String) throws -> CompositorOutput? {
    let text = #"{"name":"eDP-1","id":2,"width":1920,"height":1200,"# + members + "}"
    return CompositorOutput(hyprland: try #require(JSONValue(text)))
  }

  @Test(arguments: [
    ("1", "1.00000"), ("59.95", "59.95000"), ("1000", "1000.00000"), ("0.9", "60.00000"),
    ("1001", "60.00000"),
  ])
  func `a refresh rate is plausible or the usual one`(rate: String, text: String) throws {
    #expect(try monitor(#""refreshRate":"# + rate)?.details.first == "1920x1200@" + text)
  }

  @Test(arguments: [
    ("1.33", "1.333333", 1440), ("0.1", "0.100000", 19_200), ("20", "20.000000", 96),
    ("0.09", "1.000000", 1920),
    ("20.1", "1.000000", 1920), (#""2""#, "1.000000", 1920),
  ])
  func `a scale is a multiple of a 120th`(scale: String, text: String, width: Int) throws {
    let found = try #require(try monitor(#""x":-5,"y":7,"scale":"# + scale))
    #expect(found.details == ["1920x1200@60.00000", text] && found.number == 2)
    #expect(found.rectangle.x == -5 && found.rectangle.y == 7 && found.rectangle.width == width)
  }

  @Test func `a rotated monitor has its sides swapped`() throws {
    let found = try #require(try monitor(#""transform":3,"scale":1.5,"currentFormat":"XRGB2101010""#))
    #expect(found.rectangle == ScreenRectangle(x: 0, y: 0, width: 800, height: 1280))
    #expect(found.transform == 3 && found.details.last == "10")
    for transform in ["8", "-1"] { #expect(try monitor(#""transform":"# + transform)?.transform == 0) }
    #expect(try monitor(#""transform":7"#)?.transform == 7)
  }

  @Test func `a monitor may be disabled, off, or a mirror`() throws {
    let usual = try #require(try monitor(#""x":0"#))
    #expect(usual.isActive && usual.hasPower && !usual.isMirror)
    #expect(
      try monitor(#""disabled":true"#)?.isActive == false && monitor(#""disabled":false"#)?.isActive == true)
    #expect(try monitor(#""dpmsStatus":false"#)?.hasPower == false)
    for (word, isMirror) in [("none", false), ("", false), ("DP-1", true)] {
      #expect(try monitor(#""mirrorOf":"\#(word)""#)?.isMirror == isMirror)
    }
    #expect(CompositorOutput(hyprland: try #require(JSONValue(#"{"name":""}"#))) == nil)
  }

  @Test(arguments: [
    ("0", false), ("1", false), ("2", true), ("3", true), ("true", true), ("false", false),
    (#"true,"fullscreenMode":1"#, false), (#"true,"fullscreenMode":0"#, true),
  ])
  func `a maximized window is not fullscreen`(value: String, isFullscreen: Bool) throws {
    let text = #"{"address":"0x1f","class":"mpv","initialClass":"mpv","monitor":2,"fullscreen":\#(value)}"#
    let panel = try #require(try monitor(#""x":0"#))
    let window = HyprlandFocus.window(try #require(JSONValue(text)), among: [panel])
    #expect(window?.isFullscreen == isFullscreen)
    #expect(window?.id == 0x1f && window?.identifiers == ["mpv"] && window?.output == "eDP-1")
  }

  @Test(arguments: ["", "0x0", "1f", "0xg", "0x"])
  func `an invalid address is no window`(address: String) throws {
    let value = try #require(JSONValue(#"{"address":"\#(address)","class":"mpv"}"#))
    #expect(HyprlandFocus.window(value, among: []) == nil)
  }

  @Test func `a window is behind a menu if it was the last on its workspace`() throws {
    let window = Window(id: 0x1f, identifiers: ["mpv"])
    let isBehind = { (text: String) in HyprlandFocus.isBehind(window, try #require(JSONValue(text))) }
    #expect(try isBehind(#"{"windows":1,"lastwindow":"0x1f"}"#))
    #expect(try !isBehind(#"{"windows":0,"lastwindow":"0x1f"}"#))
    #expect(try !isBehind(#"{"windows":1,"lastwindow":"0x2f"}"#) && !isBehind(#"{"lastwindow":"0x1f"}"#))
  }

  @Test(arguments: [
    ("ok", ""), ("ok\nok\n", ""), ("ok\nunknown request", ""), ("ok\nInvalid scale", "Invalid scale"),
    ("", "nothing"), ("\n\n", "nothing"),
  ])
  func `each command has an answer`(answer: String, words: String) {
    let sentence = HyprlandLanguage.outcome(Array(answer.utf8)).sentence
    #expect(words.isEmpty ? sentence.isEmpty : sentence.contains(words), "\(sentence)")
  }

  @Test func `a quoted refusal is short`() {
    let long = String(repeating: "x", count: 300)
    #expect(throws: Message.refusal(String(long.prefix(200)))) {
      try HyprlandLanguage.outcome(Array(long.utf8)).get()
    }
  }

  @Test(arguments: ["", "a[b", "a]b", "a;b", "a/b", "a b", "a\u{1B}b"])
  func `a device name with a separator is not sent`(name: String) {
    #expect(!HyprlandTouch.isSafeName(name) && HyprlandTouch.isSafeName("a-b_c.1:2"))
  }

  @Test func `a device name cannot leave its quotes in Lua`() {
    let request = HyprlandLanguage.lua.enable("x\u{D4E}\"})os.exit(\\", true)
    let text = "/eval hl.device({ name = \"x\u{D4E}\\\"})os.exit(\\\\\", enabled = true })"
    #expect(request.payload == Array(text.utf8))
  }

  @Test func `device names are lowercased as Hyprland does`() {
    #expect(HyprlandTouch.internalName("ÉLAN Touch,2") == "Élan-touch-2")
  }
}
