// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

/// A compositor that sends what a test wants, on a socket of its own in the loop of the test.
@MainActor
final class FakeServer {
  /// A connected client.
  @MainActor
  final class Client {
    private(set) var received: [UInt8] = []
    private(set) var hasLeft = false
    private var descriptor: Int32
    private var source: EventSource?

    fileprivate init(_ descriptor: Int32, loop: EventLoop, changed: @escaping (Client) -> Void) throws {
      self.descriptor = descriptor
      source = try loop.watch(descriptor) { [unowned self] in
        read()
        changed(self)
      }
    }

    isolated deinit {
      close()
    }

    var text: String { String(decoding: received, as: UTF8.self) }

    func consume(_ count: Int) -> [UInt8] {
      defer { received.removeFirst(count) }
      return Array(received[..<count])
    }

    func write(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty, descriptor >= 0 {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func close() {
      source?.cancel()
      // Breaks the retain cycle: the handler may keep this client.
      source = nil
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }

    private func read() {
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { received += buffer[..<count] } else { hasLeft = true; source?.cancel() }
    }
  }

  let path: String
  private let directory: TemporaryDirectory?
  private(set) var clients: [Client] = []
  /// Called when a client has connected.
  var accepted: (Client) -> Void = { _ in }
  private let descriptor: Int32
  private var source: EventSource?

  /// - Parameter handle: called when a client has sent something, or left.
  init(loop: EventLoop, path: String? = nil, _ handle: @escaping (Client) -> Void) throws {
    directory = path == nil ? try TemporaryDirectory() : nil
    self.path = try path ?? #require(directory)["socket"]
    descriptor = try Self.listen(self.path)
    source = try loop.watch(descriptor) { [unowned self] in
      let one = accept(descriptor, nil, nil)
      guard one >= 0, let client = try? Client(one, loop: loop, changed: handle) else { return }
      clients.append(client)
      accepted(client)
    }
  }

  isolated deinit {
    end()
    unlink(path)
  }

  /// Ends as if killed.
  func end() {
    source?.cancel()
    source = nil
    close(descriptor)
    for client in clients { client.close() }
  }

  private static func listen(_ path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0, Glibc.listen(descriptor, 8) == 0 else { throw SystemError(call: "bind", code: errno) }
    return descriptor
  }
}
