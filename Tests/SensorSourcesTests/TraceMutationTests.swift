// SPDX-License-Identifier: MIT

import Autorotation
import Mutations
import Testing

@testable import SensorSources

/// Vigna's splitmix64: the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct TraceMutationTests {
  private static let original = Array(
    """
    # recorded at 50 Hz
    seconds,x,y,z
    0.000,0.0123,-9.8123,0.1500
    0.020,1e-3 -9.81 +0.25   # still
    0.040,-12.5,2.5e1,-0.75
    3.5,0,0,9.80665
    """.utf8)

  private static let spice = Array("0123456789.,-+eE# \t\r\n\u{0}naif;\u{FF}".utf8)

  @Test(arguments: [TraceFormat.seconds, .nanoseconds])
  func `no input breaks the reader`(format: TraceFormat) throws {
    let run = MutationRun(usual: 10_000)
    var random = SeededGenerator(state: 20_000 &* run.seed)
    let file = TemporaryFile()
    try run.feed {
      let bytes = Self.mutate(&random)
      file.replace(with: bytes)
      let trace = try TraceContents(of: file, format)
      let lines = bytes.count { $0 == 0x0A } + 1
      let isFinite = trace.accelerations.allSatisfy { $0.isFinite }
      let isInOrder = zip(trace.times, trace.times.dropFirst()).allSatisfy { $0 <= $1 }
      try #require(trace.times.count + trace.problems.total <= lines, "\(bytes)")
      try #require(isFinite && isInOrder, "\(bytes)")
    }
  }

  private static func mutate(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = Int.random(in: place...min(place + 8, bytes.count), using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: end)
      case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
      default: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
      }
    }
    return bytes
  }

  @Test func `numbers are rounded as by the standard library`() throws {
    var random = SeededGenerator(state: 7)
    for _ in 0..<20_000 {
      let text = Self.decimal(&random)
      let value = Array(text.utf8).withUnsafeBufferPointer { bytes in
        var scanner = DecimalScanner(bytes)
        return scanner.takeNumber()
      }
      let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
      try #require(value?.bitPattern == expected?.bitPattern, "\(text)")
    }
  }

  private static func decimal(_ random: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
    }
    var text = ["", "-", "+"].randomElement(using: &random) ?? ""
    text += digits(1...12, &random)
    if Bool.random(using: &random) { text += "." + digits(0...14, &random) }
    if Int.random(in: 0..<4, using: &random) == 0 { text += "e-" + digits(1...3, &random) }
    if Int.random(in: 0..<20, using: &random) == 0 { text += digits(1...25, &random) }
    return text
  }

  @Test(arguments: [
    ("9223372036854775807", Int64.max), ("-9223372036854775807", -.max), ("0", 0), ("+12", 12),
    ("9223372036854775808", nil), ("99999999999999999999", nil), ("1.0", nil), ("1e3", nil), ("", nil),
    ("00000000000000000000000001", 1), ("-9223372036854775808", .min),
  ])
  func `whole numbers are read or refused`(text: String, expected: Int64?) {
    let value = Array(text.utf8).withUnsafeBufferPointer { bytes in
      var scanner = DecimalScanner(bytes)
      return scanner.takeInteger()
    }
    #expect(value == expected)
  }
}
