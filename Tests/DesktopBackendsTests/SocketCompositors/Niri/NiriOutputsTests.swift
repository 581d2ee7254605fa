// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing

@testable import DesktopBackends

/// niri's outputs and answers, without a backend.
@MainActor
struct NiriOutputsTests {
  private let loop: EventLoop
  private let server: FakeServer
  private let niri: NiriDialect

  init() throws {
    loop = try EventLoop()
    server = try FakeServer(loop: loop) { _ in }
    niri = try NiriDialect(
      path: server.path, socket: CompositorSocket(connectingTo: server.path), CompositorContext(loop: loop))
  }

  private func output(_ members: String) throws -> CompositorOutput {
    let value = try #require(JSONValue(#"{"Outputs":{"eDP-1":{\#(members)}}}"#))
    return try #require(niri.outputs(value)?.first)
  }

  private static let modes = """
    "modes":[{"width":800,"height":600},{"width":1920,"height":1080,"is_preferred":true},{"width":640,"height":480}]
    """

  @Test(arguments: [
    (#","current_mode":2"#, 640), (#","current_mode":0"#, 800), (#","current_mode":3"#, 1920),
    (#","current_mode":-1"#, 1920), ("", 1920),
  ])
  func `the mode is the current or the preferred one`(member: String, width: Int) throws {
    #expect(try output(Self.modes + member).width == width)
  }

  @Test func `an output without a preferred mode has its first`() throws {
    let modes = Self.modes.replacing("true", with: "false")
    #expect(try output(modes).size == PixelSize(width: 800, height: 600))
    #expect(try output(#""modes":[]"#).size == nil)
  }

  @Test func `an output without a place is not active`() throws {
    #expect(try !output(Self.modes).isActive && !output(Self.modes + #","logical":null"#).isActive)
    let logical = #","logical":{"x":5,"y":-7,"width":1280,"height":720,"transform":"Flipped180"}"#
    let placed = try output(Self.modes + logical)
    #expect(placed.isActive && placed.transform == 6)
    #expect(placed.rectangle == ScreenRectangle(x: 5, y: -7, width: 1280, height: 720))
    #expect(try output(Self.modes + #","logical":{"transform":"90°"}"#).transform == 0)
  }

  @Test func `an output has the scale 1 if niri names none`() throws {
    #expect(try output(Self.modes).scale == 1)
    #expect(try output(Self.modes + #","logical":{"scale":1.5}"#).scale == 1.5)
  }

  @Test func `outputs are sorted by name`() throws {
    let value = try #require(JSONValue(#"{"Outputs":{"b":{},"a":{},"c":{}}}"#))
    #expect(niri.outputs(value)?.map(\.name) == ["a", "b", "c"])
    #expect(niri.outputs(try #require(JSONValue("{}"))) == nil)
  }

  @Test(arguments: [
    (#"{"Ok":{"OutputConfigChanged":"Applied"}}"#, ""),
    (#"{"Ok":{"OutputConfigChanged":"OutputWasMissing"}}"#, "no such output"),
    (#"{"Ok":{"OutputConfigChanged":"Else"}}"#, "something else"), (#"{"Ok":{}}"#, "something else"),
    (#"{"Err":"not now"}"#, "not now"), ("{}", "neither Ok nor Err"), ("{", "not JSON"),
  ])
  func `a change has been applied or refused`(answer: String, words: String) {
    let sentence = niri.outcome(Array(answer.utf8)).sentence
    #expect(words.isEmpty ? sentence.isEmpty : sentence.contains(words), "\(sentence)")
  }

  @Test func `events change the focus or more`() throws {
    let changes = { (event: String) in try niri.changes(CompositorMessage(event)) }
    #expect(try changes(#"{"ConfigLoaded":{"failed":false}}"#) == [.configuration, .focus])
    #expect(try changes(#"{"WorkspacesChanged":{"workspaces":[]}}"#) == [.outputs, .focus])
    #expect(try changes(#"{"WindowFocusChanged":{"id":1}}"#) == .focus)
    #expect(throws: Message.refusal("bad request")) { try changes(#"{"Err":"bad request"}"#) }
    #expect(throws: Message.self) { try changes("{") }
  }
}
