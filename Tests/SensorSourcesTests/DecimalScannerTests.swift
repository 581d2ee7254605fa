// SPDX-License-Identifier: MIT

import Testing

@testable import SensorSources

struct DecimalScannerTests {
  /// The result of a scanner, and its position afterwards.
  private func scan<Result>(
    _ text: String, _ work: (inout DecimalScanner) -> Result
  ) -> (result: Result, position: Int) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var scanner = DecimalScanner(bytes)
      let result = work(&scanner)
      return (result, scanner.position)
    }
  }

  @Test(arguments: [
    "", "-", "+", ".", "-.", "e5", "1e", "1e+", "nan", "inf", "0x1", "1x", "1e999", "1.2.3", "1:", "1e1:",
  ])
  func `text that is no number moves nothing`(text: String) {
    let (number, position) = scan(text) { $0.takeNumber() }
    #expect(number == nil && position == 0)
  }

  @Test(arguments: ["-", "1.", "1e3", "12x", "1:", "99999999999999999999"])
  func `text that is no whole number moves nothing`(text: String) {
    let (number, position) = scan(text) { $0.takeInteger() }
    #expect(number == nil && position == 0)
  }

  @Test(arguments: [
    ("1,2", 1, 1.0), ("+1.5 2", 4, 1.5), ("-2#", 2, -2), ("1e+2\t", 4, 100), ("2E-1", 4, 0.2), (".5", 2, 0.5),
    ("3.", 2, 3),
  ])
  func `a number ends at a separator`(_ text: String, _ end: Int, _ value: Double) {
    let (number, position) = scan(text) { $0.takeNumber() }
    #expect(number == value && position == end)
  }

  @Test(arguments: [("-,1", true, 1), ("", true, 0), (",", true, 0), ("-1", false, 0), ("x", false, 0)])
  func `a lone hyphen is an empty field`(_ text: String, _ isEmpty: Bool, _ end: Int) {
    let (found, position) = scan(text) { $0.takeEmptyField() }
    #expect(found == isEmpty && position == end)
  }

  @Test(arguments: [(" , 1", true, 3), ("\t1", true, 1), (",1", true, 1), (",,1", true, 1), ("1", false, 0)])
  func `a separator has at most one comma`(_ text: String, _ hasSeparator: Bool, _ end: Int) {
    let (found, position) = scan(text) { $0.takeSeparator() }
    #expect(found == hasSeparator && position == end)
  }
}
