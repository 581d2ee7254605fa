// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import DesktopBackends

/// Requests to sway, and answers that come late.
@MainActor
final class SwayConnectionTests {
  private let loop: EventLoop
  private let server: FakeServer
  private let connection: SwayConnection
  private var answers: [String] = []
  private var lateAnswers = 0

  init() throws {
    loop = try EventLoop()
    server = try FakeServer(loop: loop) { _ in }
    connection = try SwayConnection(
      CompositorSocket(connectingTo: server.path), loop: loop, timeout: EventLoop.limit)
    connection.onLateAnswers = { [unowned self] in lateAnswers += 1 }
    try loop.wait(for: "the connection") { !server.clients.isEmpty }
  }

  private func ask(_ name: String) {
    connection.ask(SwayMessage(.getOutputs)) { [unowned self] answer in
      switch answer {
      case .success: answers.append(name)
      case .failure(let reason): answers.append("\(name): \(reason.code == .displaySilent)")
      }
    }
  }

  private func answer() throws {
    server.clients[0].write(FakeSway.frame(SwayMessage.Request.getOutputs.rawValue, "[]"))
    try loop.runPending()
  }

  @Test func `the last late answer is reported once`() throws {
    connection.timeout = 0
    ask("first")
    ask("second")
    try loop.wait(for: "the timeouts") { answers.count == 2 }
    #expect(answers == ["first: true", "second: true"])
    connection.timeout = EventLoop.limit
    ask("third")
    try answer()
    #expect(lateAnswers == 0 && answers.count == 2)
    try answer()
    #expect(lateAnswers == 1 && answers.count == 2)
    try answer()
    #expect(lateAnswers == 1 && answers.last == "third")
    #expect(loop.nextTimer == nil)
  }

  @Test func `only so many requests wait for sway`() {
    for number in 1...64 { ask("\(number)") }
    #expect(answers.isEmpty)
    ask("65")
    #expect(answers == ["65: true"])
  }

  @Test func `an answer to another request ends the connection`() throws {
    var end: Message?
    connection.listen(event: { _ in }, ended: { end = $0 })
    ask("first")
    server.clients[0].write(FakeSway.frame(SwayMessage.Request.getTree.rawValue, "[]"))
    try loop.wait(for: "the end") { end != nil }
    #expect(end?.code == .displayNonsense && answers == ["first: false"])
  }

  @Test func `answers that are awaited need no loop`() throws {
    ask("first")
    server.clients[0].write(FakeSway.frame(SwayMessage.Request.getOutputs.rawValue, "[]"))
    connection.awaitAnswers(nanoseconds: EventLoop.limit)
    #expect(answers == ["first"])
    connection.awaitAnswers(nanoseconds: EventLoop.limit)
  }
}
