// SPDX-License-Identifier: MIT

package import Autorotation

/// The time format of a trace. Fields are separated by a comma or by blanks; the three accelerations
/// are in m/s²; `#` begins a comment.
nonisolated package enum TraceFormat: Equatable, Sendable {
  /// `seconds,x,y,z`, or `seconds,x,y,z,gx,gy,gz` with the gyroscope's rates in rad/s; with an optional first line that
  /// names the columns.
  case seconds
  /// `t_ns x y z`, or with `gx gy gz`: whole nanoseconds.
  case nanoseconds

  /// A time in the unit of the trace; seconds with three decimals.
  package func text(of time: Instant) -> String {
    switch self {
    case .nanoseconds: "\(time.nanoseconds)"
    case .seconds: (Double(time.nanoseconds / 1_000_000) / 1000).text(decimals: 3)
    }
  }

  var example: Phrase {
    switch self {
    case .seconds: "seconds,x,y,z in m/s², as in 0.10,0.02,-9.81,0.15"
    case .nanoseconds: "t_ns x y z in ns and m/s², as in 100000000 0.02 -9.81 0.15"
    }
  }

  var timeExample: Phrase {
    switch self {
    case .seconds: "seconds, as in 0.10"
    case .nanoseconds: "whole nanoseconds, as in 100000000"
    }
  }

  /// 292 years: what 64 bits of nanoseconds hold.
  static let maximumSeconds = 9.2e9

  /// Whether a line names the columns: the first field is a word, and none looks like a number.
  static func isHeader(_ line: String) -> Bool {
    guard let initial = line.first, initial.isASCII, initial.isLetter || initial == "\"",
      line.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\u{FFFD}" || $0 == "\t" })
    else { return false }
    return line.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).allSatisfy { word in
      Double(word) == nil && !word.hasPrefix("-") && word.first?.isNumber == false
    }
  }
}

/// The fault of one line of a trace, and the expected text.
nonisolated package struct TraceDiagnostic: Equatable, Sendable {
  package let trace: String
  /// Both count from 1; the column counts bytes.
  package let line: Int
  package let column: Int
  package let message: Phrase

  package var phrase: Phrase { "\(trace):\(line):\(column): \(message)" }
}

/// The skipped lines of a trace: the first few in full, the others counted,
/// so that a large broken file needs no memory.
nonisolated package struct TraceDiagnostics: Equatable, Sendable {
  package static let kept = 20

  package private(set) var first: [TraceDiagnostic] = []
  package private(set) var total = 0

  mutating func add(_ diagnostic: TraceDiagnostic) {
    total += 1
    if first.count < Self.kept { first.append(diagnostic) }
  }

  /// Shown to the user: one line each, and the number of further ones.
  package var lines: [Phrase] {
    let more = total - first.count
    return first.map(\.phrase) + (more > 0 ? ["and \(more) more lines were skipped"] : [])
  }
}
