// SPDX-License-Identifier: MIT

import Glibc
import SystemBus

/// What a hook prints, line by line. It lives until nobody can print any more, which may be long after
/// the hook's end: programs that it left behind have the same pipe.
@MainActor final class HookOutput {
  /// Then the hook has a log to write to, or a mistake.
  private static let mostLines = 200
  private static let longestLine = 500

  private let descriptor: Int32
  private let tell: (String) -> Void
  private var source: EventSource?
  private var itself: HookOutput?
  private var line: [UInt8] = []
  private var lines = 0

  /// - Parameters:
  ///   - give: gets the end to print to, which is closed when it returns.
  ///   - tell: takes each line, fit for a log.
  init(
    loop: EventLoop, tell: @escaping (String) -> Void, give: (Int32) throws(SystemError) -> Void
  ) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
    descriptor = ends[0]
    self.tell = tell
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    do {
      defer { close(ends[1]) }
      source = try loop.watch(descriptor) { [unowned self] in read() }
      try give(ends[1])
    } catch {
      finish()
      throw error
    }
    itself = self
  }

  /// Tells what is there already. Bounded, for a hook whose child prints without end.
  func drain() {
    for _ in 1...16 where source != nil {
      guard read() else { return }
    }
  }

  /// - Returns: whether there may be more at once.
  @discardableResult
  private func read() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return false }
    guard count > 0 else {
      finish()
      return false
    }
    bytes.prefix(count).forEach(take)
    return true
  }

  private func take(_ byte: UInt8) {
    guard byte != UInt8(ascii: "\n"), line.count < Self.longestLine else {
      endLine()
      if byte != UInt8(ascii: "\n") { line.append(byte) }
      return
    }
    line.append(byte)
  }

  private func endLine() {
    defer { line.removeAll(keepingCapacity: true) }
    lines += 1
    guard lines <= Self.mostLines, !line.isEmpty else {
      if lines == Self.mostLines + 1 { tell("(what it prints from here on is left out)") }
      return
    }
    tell(OrientationWords.printable(String(decoding: line, as: UTF8.self), limit: Self.longestLine))
  }

  private func finish() {
    if !line.isEmpty { endLine() }
    source?.cancel()
    source = nil
    close(descriptor)
    itself = nil
  }
}
