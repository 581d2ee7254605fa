// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// What sway's events and outputs mean, without a backend.
@MainActor
struct SwayEventsTests {
  private let loop: EventLoop
  private let sway: FakeSway
  private let dialect: SwayDialect

  init() throws {
    loop = try EventLoop()
    sway = try FakeSway(loop: loop)
    dialect = try SwayDialect(
      CompositorSocket(connectingTo: sway.path), CompositorContext(loop: loop), wayland: { nil })
  }

  private func changes(_ event: SwayMessage.Event, _ change: String) -> CompositorChanges {
    dialect.changes(SwayMessage(type: event.rawValue, payload: Array(#"{"change":"\#(change)"}"#.utf8)))
  }

  @Test func `a workspace event may be a hotplug`() {
    for change in ["focus", "urgent", "rename"] { #expect(changes(.workspace, change) == .focus) }
    for change in ["init", "empty", "move"] { #expect(changes(.workspace, change) == [.outputs, .focus]) }
    #expect(changes(.workspace, "reload") == [.configuration, .focus])
  }

  @Test func `only some window events change the focus`() {
    for change in ["new", "close", "focus", "fullscreen_mode", "move", "floating"] {
      #expect(changes(.window, change) == .focus)
    }
    for change in ["mark", "urgent", "title"] { #expect(changes(.window, change) == []) }
    dialect.watchesTitles = true
    #expect(changes(.window, "title") == .focus)
  }

  @Test func `other events change devices or outputs`() {
    #expect(changes(.input, "added") == .devices && changes(.input, "removed") == .devices)
    #expect(changes(.input, "libinput_config") == [])
    #expect(changes(.output, "unspecified") == .outputs && changes(.shutdown, "exit") == [])
    #expect(dialect.changes(SwayMessage(type: 0x8000_0007, payload: Array("{}".utf8))) == [])
  }

  private func output(_ members: String) throws -> CompositorOutput? {
    CompositorOutput(sway: try #require(JSONValue("{\(members)}")))
  }

  @Test func `the power has two names and is on by default`() throws {
    let power = { (member: String) in try output(#""name":"a","active":true,"# + member)?.hasPower }
    #expect(try power(#""power":false"#) == false && power(#""dpms":false"#) == false)
    #expect(try power(#""power":true,"dpms":false"#) == true && power(#""x":1"#) == true)
  }

  @Test func `an output without a current mode has its first`() throws {
    let modes = #""name":"a","modes":[{"width":800,"height":600},{"width":640,"height":480}]"#
    let other = try #require(try output(modes))
    #expect(other.size == PixelSize(width: 800, height: 600) && !other.isActive)
    let current = try output(modes + #","current_mode":{"width":640,"height":480}"#)
    #expect(current?.size == PixelSize(width: 640, height: 480))
    #expect(try output(#""active":true"#) == nil)
  }

  @Test func `coordinates and sizes are limited`() throws {
    let limit = 1 << 20
    let rectangle = #""rect":{"x":-1048577,"y":1048577,"width":1048577,"height":-1}"#
    let output = try #require(try output(#""name":"a","# + rectangle))
    #expect(output.rectangle == ScreenRectangle(x: -limit, y: limit, width: limit, height: 0))
  }

  private func mapsTouchscreens(_ version: String?) -> Bool {
    let touch = SwayTouch(
      touchscreens: MappedTouchscreens(),
      version: version.flatMap { JSONValue($0) })
    return touch.mapsBuiltInTouchscreens
  }

  @Test(arguments: [
    ((1, 10, 1), true), ((1, 10, 0), false), ((1, 10, 2), true), ((1, 9, 5), false), ((1, 11, 0), true),
    ((2, 0, 0), true), ((0, 99, 99), false),
  ])
  func `versions are compared by their parts`(_ version: (Int, Int, Int), _ isNew: Bool) {
    let text = #"{"major":\#(version.0),"minor":\#(version.1),"patch":\#(version.2)}"#
    #expect(mapsTouchscreens(text) == isNew)
  }

  @Test(arguments: [nil, #"{"major":1,"minor":10}"#, #"{"major":1}"#, #"{"minor":11}"#])
  func `a version without a patch is its first`(_ version: String?) {
    #expect(!mapsTouchscreens(version))
  }
}
