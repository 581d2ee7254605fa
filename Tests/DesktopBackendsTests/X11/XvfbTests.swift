// SPDX-License-Identifier: MIT

import Autorotation
import CXCB
import Glibc
import System
import Testing
import Waiting

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
            name: "screen", isBuiltIn: false, width: 1280, height: 800, supportedTransforms: [.none])
        ]), .focusChanged(nil),
      ])
  }

  @Test func `an unsupported rotation is refused with a reason`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    let result = try running.rotate("screen", .rotated90)
    #expect("\(result)".contains("the driver of screen offers no rotation"))
    try running.rotate("screen", .none).get()
  }

  @Test func `each of several rotations has the whole time`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    var ends: [Int64] = []
    var deadline: Int64?
    for _ in 0..<2 {
      running.backend.apply(.none, to: "screen") { _ in
        ends.append(EventLoop.now)
        deadline = running.backend.answers?.deadline
      }
    }
    try running.wait("both rotations") { ends.count == 2 }
    #expect(try #require(deadline) >= ends[0] + X11Timeouts.unlimited.silence)
  }

  /// A server can need a second for it, and the connection would be given up and made again without end.
  @Test func `connecting does not wait for a probe`() throws {
    let server = try #require(Xvfb())
    let connection = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
    let lit = try RandR(connection).read().crtcs[0]
    let off = xcb_randr_set_crtc_config(connection.handle, lit.id, 0, 0, 0, 0, 0, 1, 0, nil)
    _ = try connection.reply(off, xcb_randr_set_crtc_config_reply) { _ in }
    let randr = try RandR(connection)
    try randr.readFirst()
    #expect(!randr.hasProbed)
    #expect(try !randr.read().crtcs.contains(where: \.isLit) && randr.hasProbed)
  }

  @Test func `the end of the server is reported once`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    server.end()
    try running.wait("the end") { !running.gone.isEmpty }
    #expect(running.gone == ["the X server of display \(server.display) has ended"])
    let result = try running.rotate("screen", .none)
    #expect(throws: Message.self) { try result.get() }
    #expect(running.gone.count == 1)
  }

  @Test func `a rotation on a dead server reports the end`() throws {
    let server = try #require(Xvfb())
    let running = try RunningBackend(display: server.display)
    server.end()
    let result = try running.rotate("screen", .none)
    #expect(throws: Message.self) { try result.get() }
    try running.wait("the end") { running.gone.count == 1 }
  }

  @Test func `requests to a dead server fail`() throws {
    let server = try #require(Xvfb())
    let connection = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
    server.end()
    #expect(throws: Message.xServerHasEnded) {
      try connection.check(xcb_no_operation_checked(connection.handle))
    }
    #expect(throws: Message.xServerHasEnded) { try connection.checkAnswers() }
  }

  /// DPMS has generic events as well.
  @Test func `only events of XInput are changes of devices`() throws {
    let server = try #require(Xvfb())
    let connection = try X11Connection.connect(display: server.display, timeout: EventLoop.limit)
    let input = try #require(try XInput(connection))
    let changes = (UInt8.min...UInt8.max).compactMap { number -> XInput.Change? in
      var event = xcb_ge_generic_event_t()
      event.response_type = UInt8(XCB_GE_GENERIC)
      event.extension = number
      event.event_type = UInt16(XCB_INPUT_HIERARCHY)
      return withUnsafeMutablePointer(to: &event) {
        $0.withMemoryRebound(to: xcb_generic_event_t.self, capacity: 1) { input.change($0) }
      }
    }
    #expect(changes.count == 1)
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
