// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Testing
import Waiting

@testable import DesktopBackends

/// A stream of lines, and a socket whose peer does not read or has left.
@MainActor
final class CompositorLinesTests {
  private let loop: EventLoop
  private let server: FakeServer
  private var lines: [String] = []
  private var ends: [Message] = []

  init() throws {
    loop = try EventLoop()
    server = try FakeServer(loop: loop) { _ in }
  }

  private func start(_ line: @escaping () -> Void = {}) throws -> CompositorLines {
    let stream = try CompositorLines(
      CompositorSocket(connectingTo: server.path), loop: loop, sending: "hello\n",
      line: { [unowned self] in
        lines.append(String(decoding: $0, as: UTF8.self))
        line()
      }, ended: { [unowned self] in ends.append($0) })
    try loop.wait(for: "the request") { server.clients.first?.text == "hello\n" }
    return stream
  }

  @Test func `lines are split wherever the bytes are`() throws {
    let stream = try start()
    for part in ["one", "\ntwo\n\nthr", "ee\n", "four"] {
      server.clients[0].write(part)
      try loop.runPending()
    }
    #expect(lines == ["one", "two", "", "three"] && ends.isEmpty)
    server.clients[0].close()
    try loop.wait(for: "the end") { !ends.isEmpty }
    try loop.runPending()
    #expect(ends == [.connectionClosed] && lines.count == 4)
    withExtendedLifetime(stream) {}
  }

  @Test func `no line comes after closing`() throws {
    var stream: CompositorLines?
    stream = try start { stream?.close() }
    server.clients[0].write("one\ntwo\n")
    try loop.wait(for: "the first line") { !lines.isEmpty }
    server.clients[0].close()
    try loop.runPending()
    #expect(lines == ["one"] && ends.isEmpty)
  }

  @Test func `a peer that does not read is silent and one that has left is closed`() throws {
    let socket = try CompositorSocket(connectingTo: server.path)
    try loop.wait(for: "the client") { !server.clients.isEmpty }
    let message = [UInt8](repeating: 0, count: 100_000)
    let failure = #expect(throws: Message.self) { for _ in 0..<1000 { try socket.send(message) } }
    #expect(failure == .silence)
    server.clients[0].close()
    #expect(throws: Message.connectionClosed) { try socket.send([0]) }
    while case .bytes = socket.read() {}
    #expect(socket.read() == .end)
  }

  @Test func `a path of 107 bytes has room`() throws {
    let path = String((server.path + String(repeating: "x", count: 107)).prefix(107))
    let other = try FakeServer(loop: loop, path: path) { _ in }
    let socket = try CompositorSocket(connectingTo: path)
    #expect(socket.listener == getpid())
    #expect(throws: Message.nobodyListens(at: path + "x", reason: "File name too long")) {
      try CompositorSocket(connectingTo: path + "x")
    }
    withExtendedLifetime(other) {}
  }

  @Test func `waiting for data ends with the data or the time`() throws {
    let socket = try CompositorSocket(connectingTo: server.path)
    try loop.wait(for: "the client") { !server.clients.isEmpty }
    #expect(!socket.awaitReadable(nanoseconds: 1_000_000) && !socket.awaitReadable(nanoseconds: -1))
    #expect(socket.read() == .nothing)
    server.clients[0].write("x")
    #expect(socket.awaitReadable(nanoseconds: EventLoop.limit))
    #expect(socket.read() == .bytes([UInt8(ascii: "x")]))
  }
}
