// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing

@testable import DesktopBackends

@Suite("on an X server that cannot rotate", .enabled(if: Xvfb.isInstalled, "install xvfb to run them"))
@MainActor
struct XvfbTests {
  @Test func `the output is reported with its rotations`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    #expect(
      running.events == [
        .outputsChanged([
          Output(
            name: "screen", isBuiltIn: false, width: 1280, height: 800,
            supportedTransforms: TransformSet(.none))
        ]), .focusChanged(nil),
      ])
  }

  @Test func `an unsupported rotation is refused with a reason`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    let result = try running.turn("screen", .rotated90)
    #expect("\(result)".contains("the driver of screen offers no rotation"))
    try running.turn("screen", .none).get()
  }

  @Test func `the end of the server is reported once`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    server.end()
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone == ["the X server of display \(server.display) has ended"])
    let result = try running.turn("screen", .none)
    #expect(throws: Message.self) { try result.get() }
    #expect(running.gone.count == 1)
  }

  @Test func `a rotation on a dead server reports the end`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    server.end()
    let result = try running.turn("screen", .none)
    #expect(throws: Message.self) { try result.get() }
    try running.wait("the end") { running.gone.count == 1 }
  }
}

@Suite("without an X server")
@MainActor
struct NoServerTests {
  @Test func `a missing display is named`() throws {
    let loop = try EventLoop()
    #expect(throws: Message.cannotConnectToX(":987")) {
      try X11Backend(loop: loop, display: ":987")
    }
    #expect(Message.cannotConnectToX(":987").description.contains(":987"))
  }

  @Test(arguments: [":", "nonsense", ":987.99999999999999999999"])
  func `an invalid display is refused`(display: String) throws {
    let loop = try EventLoop()
    #expect(throws: Message.self) { try X11Backend(loop: loop, display: display) }
  }

  @Test func `an empty display counts as not set`() throws {
    let loop = try EventLoop()
    #expect(throws: Message.noXDisplay) { try X11Backend(loop: loop, display: "") }
  }
}
