// SPDX-License-Identifier: MIT

/// Where something stands in a file. Lines and columns count from 1, a column is one Unicode scalar,
/// and the end is just behind it.
package struct SourcePlace: Equatable, Sendable {
  package var line: Int
  package var column: Int
  package var endLine: Int
  package var endColumn: Int

  package init(line: Int, column: Int, endLine: Int, endColumn: Int) {
    self.line = line
    self.column = column
    self.endLine = endLine
    self.endColumn = endColumn
  }

  func isBefore(_ other: Self) -> Bool { (line, column) < (other.line, other.column) }
}
