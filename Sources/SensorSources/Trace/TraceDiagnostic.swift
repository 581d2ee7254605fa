// SPDX-License-Identifier: MIT

package import Autorotation

/// What is wrong with one line of a trace, and what to write instead.
nonisolated package struct TraceDiagnostic: Equatable, Sendable {
  package let trace: String
  /// Both count from 1; the column counts bytes.
  package let line: Int
  package let column: Int
  package let message: Phrase

  package var phrase: Phrase { "\(trace):\(line):\(column): \(message)" }
}

/// The lines of a trace that had to be skipped: the first few in full, the others counted,
/// so that a large broken file costs no memory.
nonisolated package struct TraceDiagnostics: Equatable, Sendable {
  package static let kept = 20

  package private(set) var first: [TraceDiagnostic] = []
  package private(set) var total = 0

  mutating func add(_ diagnostic: @autoclosure () -> TraceDiagnostic) {
    total += 1
    if first.count < Self.kept { first.append(diagnostic()) }
  }

  /// For a person: one line each, and how many more there were.
  package var lines: [Phrase] {
    let more = total - first.count
    return first.map(\.phrase) + (more > 0 ? ["and \(more) more lines were skipped"] : [])
  }
}
