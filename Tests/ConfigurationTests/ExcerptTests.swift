// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration

/// The excerpt of a diagnostic, with carets below.
struct ExcerptTests {
  private func excerpt(ofColumns columns: Int, at place: ClosedRange<Int>) -> [String] {
    let text = String(repeating: "a", count: columns)
    return ConfigurationFile(path: "/x", kind: .settings, layer: .user, text: text).excerpt(
      at: SourcePlace(line: 1, column: place.lowerBound, endLine: 1, endColumn: place.upperBound + 1))
  }

  @Test func `a line of 160 columns is shown whole`() {
    let lines = excerpt(ofColumns: 160, at: 100...102)
    #expect(lines == [String(repeating: "a", count: 160), String(repeating: " ", count: 99) + "^^^"])
  }

  @Test func `a quotation of 60 characters is whole`() {
    let whole = String(repeating: "a", count: 60)
    #expect(whole.quotable == whole)
    #expect((whole + "a").quotable == whole + "…")
  }

  @Test func `a longer line is cut around the place`() {
    let lines = excerpt(ofColumns: 400, at: 100...102)
    #expect(lines[0].first == "…" && lines[0].last == "…" && lines[0].count <= 222)
    #expect(lines[1] == String(repeating: " ", count: 61) + "^^^")
  }
}
