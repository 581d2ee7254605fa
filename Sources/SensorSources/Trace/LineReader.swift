// SPDX-License-Identifier: MIT

import Glibc
import System

/// Reads lines from a descriptor, in constant memory.
nonisolated struct LineReader: ~Copyable {
  /// Also the length of the longest line that is returned.
  static let capacity = 64 * 1024

  enum Line {
    /// Without its end. Valid until the next call.
    case text(UnsafeBufferPointer<UInt8>)
    /// Longer than `capacity`; skipped up to its end.
    case tooLong
  }

  private let descriptor: Int32
  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: LineReader.capacity)
  private var start = 0
  private var end = 0
  private var isAtEndOfFile = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    buffer.deallocate()
  }

  /// - Returns: `nil` at the end. A last line without a newline counts as a line.
  /// - Throws: `SystemError` if reading fails.
  mutating func next() throws -> Line? {
    while true {
      if let line = takeLine() { return .text(line) }
      if isAtEndOfFile { return takeLastLine() }
      guard start > 0 || end < Self.capacity else {
        try skipLine()
        return .tooLong
      }
      try refill()
    }
  }

  private mutating func takeLine() -> UnsafeBufferPointer<UInt8>? {
    guard let newline = memchr(buffer + start, 0x0A, end - start) else { return nil }
    let length = UnsafeRawPointer(newline) - UnsafeRawPointer(buffer + start)
    defer { start += length + 1 }
    return bytes(length)
  }

  private mutating func takeLastLine() -> Line? {
    guard start < end else { return nil }
    defer { start = end }
    return .text(bytes(end - start))
  }

  /// Without the carriage return of Windows files.
  private func bytes(_ length: Int) -> UnsafeBufferPointer<UInt8> {
    let endsInReturn = length > 0 && buffer[start + length - 1] == 0x0D
    return UnsafeBufferPointer(start: buffer + start, count: endsInReturn ? length - 1 : length)
  }

  private mutating func skipLine() throws {
    repeat {
      start = end
      try refill()
    } while takeLine() == nil && !isAtEndOfFile
  }

  private mutating func refill() throws {
    memmove(buffer, buffer + start, end - start)
    end -= start
    start = 0
    let count = read(descriptor, buffer + end, Self.capacity - end)
    if count < 0 && errno == EINTR { return }
    guard count >= 0 else { throw SystemError(call: "read", code: errno) }
    isAtEndOfFile = count == 0
    end += count
  }
}
