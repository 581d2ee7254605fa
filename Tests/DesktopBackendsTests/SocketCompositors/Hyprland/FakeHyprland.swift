// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary

@testable import DesktopBackends

/// The two sockets of Hyprland: one where each connection is a request, and one for events.
@MainActor
final class FakeHyprland {
  var directory: String { room.path }
  private let room: TemporaryDirectory
  private(set) var requests: FakeServer?
  private(set) var events: FakeServer?
  private(set) var asked: [String] = []

  /// - Parameters:
  ///   - answer: the answer to a request; `nil` for none, "{}" for one that the test does not care about.
  ///   - listens: called with each client of the event socket.
  init(
    loop: EventLoop, answer: @escaping (String) -> String?,
    listens: @escaping (FakeServer.Client) -> Void = { _ in }
  ) throws {
    room = try TemporaryDirectory()
    requests = try FakeServer(loop: loop, path: directory + "/.socket.sock") { [unowned self] client in
      guard !client.hasLeft, !client.received.isEmpty else { return }
      let text = String(decoding: client.consume(client.received.count), as: UTF8.self)
      asked.append(text)
      guard let reply = answer(text) else { return }
      client.write(text == "/dismissnotify 0" && reply == "{}" ? "ok" : reply)
      client.close()
    }
    events = try FakeServer(loop: loop, path: directory + "/.socket2.sock") { _ in }
    events?.accepted = listens
  }

  isolated deinit {
    requests = nil
    events = nil
  }

  func place() throws -> HyprlandPlace {
    let socket = try CompositorSocket(connectingTo: directory + "/.socket2.sock")
    return HyprlandPlace(directory: directory, events: socket)
  }

  func sendEvent(_ line: String) {
    for client in events?.clients ?? [] { client.write(line + "\n") }
  }

  func end() {
    requests?.end()
    events?.end()
  }
}
