// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The events of a compositor: a stream of lines.
final class CompositorLines {
  /// A line that lists the windows of a full desktop has some 100 KB.
  private static let longest = 32 * 1024 * 1024

  private let socket: CompositorSocket
  private var rest: [UInt8] = []
  private var isClosed = false

  /// - Parameters:
  ///   - request: sent first.
  ///   - line: called with each line, without its end.
  ///   - ended: called once, with the reason, when no more lines will come.
  init(
    _ socket: CompositorSocket, loop: EventLoop, sending request: String = "",
    line: @escaping ([UInt8]) -> Void, ended: @escaping (Message) -> Void
  ) throws {
    self.socket = socket
    try socket.watch(on: loop) { [weak self] in self?.receive(line, ended) }
    if !request.isEmpty { try socket.send(Array(request.utf8)) }
  }

  func close() {
    isClosed = true
    socket.close()
  }

  private func receive(_ line: ([UInt8]) -> Void, _ ended: (Message) -> Void) {
    switch socket.read() {
    case .nothing: return
    case .end: return end(.connectionClosed, ended)
    case .bytes(let bytes): rest += bytes
    }
    var start = rest.startIndex
    while !isClosed, let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      line(Array(rest[start..<end]))
      start = end + 1
    }
    rest.removeFirst(start)
    if rest.count > Self.longest { end(.garbled("more than \(Self.longest) bytes"), ended) }
  }

  private func end(_ reason: Message, _ ended: (Message) -> Void) {
    guard !isClosed else { return }
    close()
    ended(reason)
  }
}
