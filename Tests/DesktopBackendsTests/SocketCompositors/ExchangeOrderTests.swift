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

  @Test func `a late answer fails all requests that wait`() throws {
    let loop = try EventLoop()
    var isAwake = false
    let server = try FakeServer(loop: loop) { client in
      if isAwake, !client.received.isEmpty { client.write("yes\nrest") }
    }
    let exchanges = try CompositorExchanges(
      at: server.path, ending: .line, CompositorContext(loop: loop, timeout: 1))
    var answers: [Result<[UInt8], Message>] = []
    for _ in 1...2 { exchanges.ask(CompositorMessage("question\n")) { answers.append($0) } }
    try loop.wait(for: "two answers") { answers.count == 2 }
    #expect(answers == [.failure(.silence), .failure(.silence)])
    isAwake = true
    exchanges.timeout = EventLoop.limit
    exchanges.ask(CompositorMessage("question\n")) { answers.append($0) }
    try loop.wait(for: "the third answer") { answers.count == 3 }
    #expect(answers.last == .success(Array("yes".utf8)))
    try loop.runPending()
    #expect(answers.count == 3 && loop.nextTimer == nil)
    withExtendedLifetime(server) { exchanges.close() }
  }

  @Test(arguments: ["some\ntext", ""])
  func `an answer may end with its connection`(text: String) throws {
    let loop = try EventLoop()
    let server = try FakeServer(loop: loop) { client in
      guard !client.received.isEmpty else { return }
      client.write(text)
      client.close()
    }
    let exchanges = try CompositorExchanges(at: server.path, ending: .close, CompositorContext(loop: loop))
    var answer: Result<[UInt8], Message>?
    exchanges.ask(CompositorMessage("question")) { answer = $0 }
    try loop.wait(for: "the answer") { answer != nil }
    #expect(answer == (text.isEmpty ? .failure(.garbled("nothing")) : .success(Array(text.utf8))))
    withExtendedLifetime(server) { exchanges.close() }
  }

  @Test func `nothing is answered after closing`() throws {
    let loop = try EventLoop()
    let server = try FakeServer(loop: loop) { client in client.write("yes\n") }
    let exchanges = try CompositorExchanges(at: server.path, ending: .line, CompositorContext(loop: loop))
    exchanges.ask(CompositorMessage("question\n")) { _ in Issue.record("was closed") }
    exchanges.close()
    try loop.settle()
    withExtendedLifetime(server) {}
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
