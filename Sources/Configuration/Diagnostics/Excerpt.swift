// SPDX-License-Identifier: MIT

import Autorotation

extension ConfigurationFile {
  /// With an excerpt of the file.
  func diagnostic(
    _ severity: Diagnostic.Severity, at place: SourcePlace?, _ message: Phrase, advice: Phrase? = nil
  ) -> Diagnostic {
    Diagnostic(
      severity: severity, path: path, place: place, message: message, advice: advice,
      excerpt: place.map(excerpt) ?? [])
  }

  /// The line of a place, and carets below the place, both safe for a terminal.
  func excerpt(at place: SourcePlace) -> [String] {
    var line = line(place.line)
    var start = min(max(place.column - 1, 0), line.count)
    var end = max(start, min(place.endLine == place.line ? place.endColumn - 1 : .max, line.count))
    Self.shorten(&line, &start, &end)
    let shown = String(String.UnicodeScalarView(line.map(\.shown)))
    let margin = line[..<start].map(\.blank).joined()
    let width = line[start..<end].reduce(0) { $0 + $1.columns }
    return [shown, margin + String(repeating: "^", count: max(1, width))]
  }

  /// One line, without its end; empty past the last.
  func line(_ number: Int) -> [Unicode.Scalar] {
    let lines = bytes.split(separator: 0x0A, maxSplits: max(0, number), omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return [] }
    var line = Array(String(decoding: lines[number - 1], as: UTF8.self).unicodeScalars)
    if line.last == "\r" { line.removeLast() }
    if number == 1, line.first == "\u{FEFF}" { line.removeFirst() }
    return line
  }

  /// Shortens a line that is too long for a terminal, around the place.
  private static func shorten(_ line: inout [Unicode.Scalar], _ start: inout Int, _ end: inout Int) {
    let longest = 160
    guard line.count > longest else { return }
    if line.count - start > longest { line.replaceSubrange((start + longest - 1)..., with: ["…"]) }
    let cut = max(0, start - 60)
    if cut > 0 { line.replaceSubrange(..<cut, with: ["…"]) }
    let shift = cut > 0 ? cut - 1 : 0
    start -= shift
    end = min(end - shift, line.count)
  }
}

extension String {
  /// Shortened, and without control characters, for a message of one line.
  var quotable: String {
    let clean = unicodeScalars.prefix(60).map { scalar in
      scalar.isDisruptive ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(clean)) + (unicodeScalars.count > 60 ? "…" : "")
  }
}

extension Unicode.Scalar {
  /// Replaces control characters, which are unsafe for a terminal.
  fileprivate var shown: Self { self != "\t" && isDisruptive ? "\u{FFFD}" : self }

  /// Blanks as wide as the character, for the line below; a tab for a tab.
  fileprivate var blank: String { self == "\t" ? "\t" : String(repeating: " ", count: columns) }

  /// Its width in columns of a terminal.
  package var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide = properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
    return isWide ? 2 : 1
  }

  /// East Asian Width W and F, in blocks (Unicode Standard Annex #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
  ]
}
