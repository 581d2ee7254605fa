// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

/// What a program prints, line by line. It lives until nobody can print any more, which may be long after
/// the program's end: programs that it left behind have the same pipe.
///
/// Whoever prints on and on is read on, since a recorder would not survive the end of the pipe, but in large pieces
/// that nobody looks at, and seldom: the more there is, the longer it has to wait.
@MainActor final class ProgramOutput {
  /// What prints more has a log to write to, or a mistake.
  private static let mostLines = 200
  private static let longestLine = 500
  /// What Linux gives a pipe, in bytes.
  private static let pipeSize = 65536
  /// By how much longer it waits each time that the pipe was full, and at most, in nanoseconds: ten seconds, which is
  /// as long as a hook may take, read 9 MB.
  private static let longerPause: Int64 = 1_000_000
  private static let longestPause: Int64 = 1_000_000_000

  private let descriptor: Int32
  private let tell: (String) -> Void
  private var source: EventSource?
  private var itself: ProgramOutput?
  private var line: [UInt8] = []
  private var lines = 0
  private var pause: EventTimer?
  private var pauseNanoseconds = longerPause

  /// - Parameters:
  ///   - give: gets the end to print to, which is closed when it returns.
  ///   - tell: takes each line, fit for a log.
  init(
    loop: EventLoop, tell: @escaping (String) -> Void, give: (Int32) throws(SystemError) -> Void
  ) throws {
    let pipe = try Pipe()
    descriptor = pipe.reading
    self.tell = tell
    do {
      defer { close(pipe.writing) }
      source = try loop.watch(descriptor) { [unowned self] in read() }
      pause = try loop.timer { [unowned self] in source?.isEnabled = true }
      try give(pipe.writing)
    } catch {
      finish()
      throw error
    }
    itself = self
  }

  /// Tells what is there already. Bounded, for a program whose child prints without end.
  func drain() {
    for _ in 1...16 where source != nil && !hasSaidEnough {
      guard read() > 0 else { return }
    }
  }

  private var hasSaidEnough: Bool { lines > Self.mostLines }

  /// - Returns: how many bytes there were.
  @discardableResult
  private func read() -> Int {
    withUnsafeTemporaryAllocation(byteCount: Self.pipeSize, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, hasSaidEnough ? buffer.count : 4096)
      if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
      guard count > 0 else {
        finish()
        return 0
      }
      if hasSaidEnough { rest(after: count) } else { buffer.prefix(count).forEach(take) }
      return count
    }
  }

  /// Reads no more for a while, which is longer each time that the pipe was full.
  private func rest(after count: Int) {
    let isFull = count == Self.pipeSize
    pauseNanoseconds = min((isFull ? pauseNanoseconds : 0) + Self.longerPause, Self.longestPause)
    pause?.arm(at: EventLoop.now + pauseNanoseconds)
    source?.isEnabled = false
  }

  private func take(_ byte: UInt8) {
    guard !hasSaidEnough else { return }
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
    tell(String(decoding: line, as: UTF8.self).printable(limit: Self.longestLine))
  }

  private func finish() {
    if !line.isEmpty { endLine() }
    source?.cancel()
    source = nil
    pause?.cancel()
    pause = nil
    close(descriptor)
    itself = nil
  }
}
