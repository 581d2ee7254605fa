// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System
import Temporary
import Testing
import Waiting

@testable import DesktopBackends

@Suite("a connection to a compositor")
@MainActor
struct ConnectionTests {
  @Test func `the globals of a compositor are known`() throws {
    let fake = try Fake("output A 800 600")
    let registry = try WaylandConnection(display: fake.path).registry
    #expect(registry["zwlr_output_manager_v1"]?.version == 4)
    #expect(registry["wl_output"]?.version == 4)
    #expect(registry["zwlr_layer_shell_v1"] == nil)
  }

  @Test func `a connection has the name of its socket`() throws {
    let fake = try Fake("output A 800 600")
    let connection = try WaylandConnection(display: fake.path)
    #expect(fake.path.hasSuffix("/\(connection.name)"))
    #expect(connection.name.hasPrefix(fake.path.split(separator: "/").last ?? "?"))
  }

  @Test func `a missing display is reported`() {
    #expect(throws: Message.noWaylandDisplay) { try WaylandConnection(display: "") }
    #expect(throws: Message.noWaylandDisplay) { try WaylandSocket.path(display: nil) { _ in nil } }
    #expect(throws: Message.noRuntimeDirectory(display: "wayland-7")) {
      try WaylandSocket.path(display: "wayland-7") { _ in nil }
    }
  }

  @Test func `display names are in the runtime directory unlike paths`() throws {
    let variables = ["XDG_RUNTIME_DIR": "/run/user/7", "WAYLAND_DISPLAY": "wayland-1"]
    #expect(try WaylandSocket.path(display: nil) { variables[$0] } == "/run/user/7/wayland-1")
    #expect(try WaylandSocket.path(display: "x", variable: { variables[$0] }) == "/run/user/7/x")
    #expect(try WaylandSocket.path(display: "/a/b", variable: { _ in nil }) == "/a/b")
  }

  @Test func `a missing socket is reported`() throws {
    #expect(throws: Message.noCompositor(on: "/nowhere/wayland-0")) {
      try WaylandConnection(display: "/nowhere/wayland-0")
    }
    let long = "/" + String(repeating: "x", count: 200)
    #expect(throws: Message.cannotConnect(to: long, reason: "the path is too long")) {
      try WaylandConnection(display: long)
    }
  }

  @Test func `an abandoned socket is reported`() throws {
    let peer = try Peer()
    peer.end()
    #expect(throws: Message.noCompositor(on: peer.path)) {
      try WaylandConnection(display: peer.path)
    }
  }

  @Test func `a peer that hangs times out`() throws {
    let peer = try Peer()
    #expect(throws: Message.silentCompositor(on: peer.path)) { try WaylandConnection(display: peer.path) }
  }

  @Test func `a full backlog times out`() throws {
    let peer = try Peer(backlog: 0)
    let other = try WaylandSocket.connect(peer.path, within: 1_000_000_000)
    defer { close(other) }
    #expect(throws: Message.silentCompositor(on: peer.path)) { try WaylandConnection(display: peer.path) }
  }

  @Test(arguments: [
    "", "HTTP/1.1 400 Bad Request\r\n\r\n", "\0", "\u{1}\0\0\0\0\0\0\0", "\u{2}\0\0\0\0\0\u{7}\0",
    "\u{1}\0\0\0\0\0\u{c}\0\u{9}\0\0\0", String(repeating: "\u{7f}", count: 9000),
  ])
  func `a peer with another protocol is reported`(reply: String) throws {
    let peer = try Peer()
    peer.willSend(reply)
    do {
      _ = try WaylandConnection(display: peer.path)
      Issue.record("it is not a compositor")
    } catch {
      #expect([.displayUnsupported, .displaySilent].contains(error.code), "\(error)")
    }
  }

  @Test func `the end is reported once`() throws {
    let fake = try Fake()
    let connection = try WaylandConnection(display: fake.path)
    let loop = try EventLoop()
    var gone: [String] = []
    try connection.start(on: loop, afterEvents: {}, gone: { gone.append($0.description) })
    fake.stop()
    try loop.wait(for: "the end") { !gone.isEmpty }
    try loop.settle()
    #expect(gone == ["the compositor has ended"])
  }

  @Test func `an open round trip of a released connection never completes`() throws {
    let fake = try Fake("output A 800 600")
    var isAnswered = false
    do {
      let connection = try WaylandConnection(display: fake.path)
      for _ in 0..<3 { connection.afterRoundTrip { isAnswered = true } }
      connection.flush()
    }
    try WaylandConnection(display: fake.path).roundTrip()
    #expect(!isAnswered)
  }

  @Test func `the handler of a round trip may release the connection`() throws {
    let fake = try Fake()
    let loop = try EventLoop()
    var connection: WaylandConnection? = try WaylandConnection(display: fake.path)
    try connection?.start(on: loop, afterEvents: {}, gone: { _ in })
    connection?.afterRoundTrip { connection = nil }
    // Requested before the release, so answered in the same batch or never.
    connection?.afterRoundTrip {}
    connection?.flush()
    try loop.wait(for: "the answer") { connection == nil }
    try loop.settle()
    try WaylandConnection(display: fake.path).roundTrip()
  }

  @Test func `the process behind the socket is known`() throws {
    let fake = try Fake()
    let connection = try WaylandConnection(display: fake.path)
    let name = try #require(connection.compositor)
    #expect(!name.isEmpty && name.utf8.count <= 15)
  }

  @Test func `outputs that come and go are known`() throws {
    let fake = try Fake()
    let connection = try WaylandConnection(display: fake.path)
    let outputs = WaylandOutputs(connection)
    fake.run("output A 800 600")
    try connection.roundTrip()
    try connection.roundTrip()
    #expect(outputs["A"]?.mode == PixelSize(width: 800, height: 600))
    fake.run("remove A")
    try connection.roundTrip()
    #expect(outputs.outputs.isEmpty)
  }
}

/// A program that listens on a socket and is not a compositor.
@MainActor
final class Peer {
  let path: String
  private let directory: TemporaryDirectory
  private var descriptor: Int32

  init(backlog: Int32 = 8) throws {
    directory = try TemporaryDirectory()
    path = directory["wayland-peer"]
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { [path] in $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) { [descriptor] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(code == 0 && listen(descriptor, backlog) == 0)
  }

  isolated deinit {
    end()
  }

  func end() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Sends a reply to the next client, and disconnects.
  func willSend(_ reply: String) {
    let reply = Reply(descriptor: descriptor, bytes: Array(reply.utf8))
    var thread = pthread_t()
    pthread_create(&thread, nil, sendReply, Unmanaged.passRetained(reply).toOpaque())
    pthread_detach(thread)
  }
}

private final class Reply: Sendable {
  let descriptor: Int32
  let bytes: [UInt8]
  init(descriptor: Int32, bytes: [UInt8]) {
    self.descriptor = descriptor
    self.bytes = bytes
  }
}

private func sendReply(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let reply = Unmanaged<Reply>.fromOpaque(context).takeRetainedValue()
  let client = accept(reply.descriptor, nil, nil)
  _ = send(client, reply.bytes, reply.bytes.count, Int32(MSG_NOSIGNAL))
  close(client)
  return nil
}
