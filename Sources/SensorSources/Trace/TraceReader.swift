// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// Reads a trace, line by line, from a descriptor, in constant memory.
///
/// An invalid line is skipped and added to `diagnostics`. A line with an earlier time than the one before is invalid.
nonisolated package struct TraceReader: ~Copyable {
  /// As shown in diagnostics.
  package let name: String
  package private(set) var diagnostics = TraceDiagnostics()

  private let format: TraceFormat
  private var lines: LineReader
  private var lineNumber = 0
  private var hasSeenData = false
  private var latest = Instant(nanoseconds: .min)

  /// - Parameter descriptor: owned, and closed, by the caller.
  package init(descriptor: Int32, name: String, format: TraceFormat) {
    self.name = name
    self.format = format
    lines = LineReader(descriptor)
  }

  /// The next sample, with the trace's own time; `nil` at the end.
  /// - Throws: `SystemError` if the descriptor cannot be read.
  package mutating func next() throws -> (Instant, MotionSample)? {
    while let line = try lines.next() {
      lineNumber += 1
      do throws(TraceFault) {
        if let sample = try sample(from: line) { return sample }
      } catch {
        diagnostics.add(
          TraceDiagnostic(
            trace: name, line: lineNumber, column: error.position + 1, message: error.message(for: format)))
      }
    }
    return nil
  }

  private mutating func sample(from line: LineReader.Line) throws(TraceFault) -> (Instant, MotionSample)? {
    guard case .text(let bytes) = line else { throw TraceFault(.tooLong, at: 0) }
    var scanner = DecimalScanner(withoutByteOrderMark(bytes))
    scanner.skipBlanks()
    if scanner.isAtEndOfData || isHeader(scanner.bytes) { return nil }
    let timePosition = scanner.position
    let sample = try scanner.takeSample(format)
    guard sample.0 >= latest else { throw TraceFault(.timeGoesBack, at: timePosition) }
    latest = sample.0
    return sample
  }

  /// Only the first line that is not empty can be a header.
  private mutating func isHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !hasSeenData else { return false }
    hasSeenData = true
    return format == .seconds && TraceFormat.isHeader(String(decoding: bytes, as: UTF8.self))
  }

  private func withoutByteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard lineNumber == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return bytes }
    return UnsafeBufferPointer(rebasing: bytes[3...])
  }
}

/// The fault of a line, and its position in bytes.
nonisolated private struct TraceFault: Error {
  enum Kind {
    case tooLong, time, missing(String), axis(String), rate(String), incompleteRate, tooMany, timeGoesBack
  }

  let kind: Kind
  let position: Int

  init(_ kind: Kind, at position: Int) {
    self.kind = kind
    self.position = position
  }

  func message(for format: TraceFormat) -> Phrase {
    switch kind {
    case .tooLong: "a line of more than \(LineReader.capacity) bytes; expected \(format.example)"
    case .time: "not a time; expected \(format.timeExample)"
    case .missing(let axis): "\(axis) is missing; expected \(format.example)"
    case .axis(let axis): "\(axis) is not a number; expected m/s², as in -9.81"
    case .rate(let axis): "\(axis) is not a number; expected rad/s, as in 0.35"
    case .incompleteRate: "the angular rate is incomplete; expected all of gx, gy and gz, or none"
    case .tooMany:
      "unexpected text after the numbers; expected \(format.example), or with gx, gy and gz in "
        + "rad/s"
    case .timeGoesBack: "time goes back; each line must be at or after the one before it"
    }
  }
}

nonisolated extension DecimalScanner {
  fileprivate mutating func takeSample(_ format: TraceFormat) throws(TraceFault) -> (Instant, MotionSample) {
    let time = try takeTime(format)
    let x = try takeAxis("x")
    let y = try takeAxis("y")
    let z = try takeAxis("z")
    let rate = try takeRate()
    skipBlanks()
    guard isAtEndOfData else { throw TraceFault(.tooMany, at: position) }
    return (time, MotionSample(Acceleration(x: x, y: y, z: z), rate: rate))
  }

  /// - Returns: `nil` if the line has none, or three empty fields: then the gyroscope had nothing new.
  private mutating func takeRate() throws(TraceFault) -> AngularRate? {
    guard !isAtLineEnd else { return nil }
    let (x, y, z) = (try takeRateAxis("gx"), try takeRateAxis("gy"), try takeRateAxis("gz"))
    if x == nil, y == nil, z == nil { return nil }
    guard let x, let y, let z else { throw TraceFault(.incompleteRate, at: position) }
    return AngularRate(x: x, y: y, z: z)
  }

  /// - Returns: `nil` for an empty field.
  private mutating func takeRateAxis(_ axis: String) throws(TraceFault) -> Double? {
    guard takeSeparator() else { throw TraceFault(.incompleteRate, at: position) }
    if let value = takeNumber() { return value }
    guard takeEmptyField() else { throw TraceFault(.rate(axis), at: position) }
    return nil
  }

  private mutating func takeTime(_ format: TraceFormat) throws(TraceFault) -> Instant {
    let start = position
    switch format {
    case .nanoseconds: if let nanoseconds = takeInteger() { return Instant(nanoseconds: nanoseconds) }
    case .seconds:
      if let seconds = takeNumber(), seconds.magnitude < TraceFormat.maximumSeconds {
        return Instant(seconds: seconds)
      }
    }
    throw TraceFault(.time, at: start)
  }

  private mutating func takeAxis(_ axis: String) throws(TraceFault) -> Double {
    guard takeSeparator(), !isAtEndOfData else { throw TraceFault(.missing(axis), at: position) }
    guard let value = takeNumber() else { throw TraceFault(.axis(axis), at: position) }
    return value
  }
}
