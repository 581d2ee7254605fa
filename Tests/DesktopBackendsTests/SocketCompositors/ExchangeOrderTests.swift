// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

@Suite("exchanges with a compositor", .serialized)
@MainActor
struct ExchangeOrderTests {
  @Test func `answers keep the order of requests when the server ends`() throws {
    let loop = try EventLoop()
    var server: FakeServer?
    server = try FakeServer(loop: loop) { client in
      guard !client.received.isEmpty else { return }
      client.write("yes\n")
      server?.end()
    }
    let exchanges = try CompositorExchanges(
      at: try #require(server).path, ending: .line, CompositorContext(loop: loop))
    var answers: [String] = []
    for name in ["first", "second", "third"] {
      exchanges.ask(CompositorMessage("\(name)\n")) { answer in
        answers.append(name + ((try? answer.get()) == nil ? " failed" : " answered"))
      }
    }
    try loop.wait(for: "three answers") { answers.count == 3 }
    #expect(answers == ["first answered", "second failed", "third failed"])
    exchanges.close()
    server = nil
  }

  /// The kernel has room for 107 bytes.
  @Test func `a path too long for a socket is refused`() {
    #expect(throws: Message.self) {
      try CompositorSocket(connectingTo: "/" + String(repeating: "x", count: 200))
    }
  }

  @Test func `more requests than the limit are refused`() throws {
    let loop = try EventLoop()
    let server = try FakeServer(loop: loop) { _ in }
    let exchanges = try CompositorExchanges(at: server.path, ending: .line, CompositorContext(loop: loop))
    var refused = 0
    for _ in 0..<100 {
      exchanges.ask(CompositorMessage("question\n")) { if case .failure = $0 { refused += 1 } }
    }
    #expect(refused == 36)
    exchanges.close()
  }
}
