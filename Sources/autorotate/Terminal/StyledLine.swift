// SPDX-License-Identifier: MIT

import Configuration

/// A line of a screen: pieces of text, each with its paint, that know how wide they are.
struct StyledLine: Equatable {
  private struct Piece: Equatable {
    var text: String
    var paint: TerminalStyle.Paint?
  }

  private var pieces: [Piece] = []
  /// Columns so far.
  private(set) var width = 0
  private let style: TerminalStyle

  init(_ style: TerminalStyle) {
    self.style = style
  }

  mutating func add(_ text: String, _ paint: TerminalStyle.Paint? = nil) {
    let shown = style.shown(text)
    pieces.append(Piece(text: shown, paint: paint))
    width += shown.columns
  }

  mutating func add(_ other: Self) {
    pieces += other.pieces
    width += other.width
  }

  /// Fills up with blanks.
  mutating func pad(to column: Int) {
    if width < column { add(String(repeating: " ", count: column - width)) }
  }

  /// At most so wide, painted.
  func text(columns: Int) -> String {
    var left = columns
    return pieces.map { piece in
      let clipped = piece.text.clipped(to: left)
      left -= clipped.columns
      return piece.paint.map { clipped.isEmpty ? "" : style.painted(clipped, $0) } ?? clipped
    }.joined()
  }
}

extension String {
  /// Terminal columns that it takes.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// As much of it as so many columns hold.
  func clipped(to columns: Int) -> String {
    var left = columns
    let fitting = unicodeScalars.prefix { scalar in
      left -= scalar.columns
      return left >= 0
    }
    return String(String.UnicodeScalarView(fitting))
  }

  /// Broken into lines of at most so many columns: at blanks, and where there are none, as in Chinese, anywhere.
  func wrapped(to columns: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ").flatMap({ String($0).cut(into: columns) }) {
      if let last = lines.last, last.columns + 1 + word.columns <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  private func cut(into columns: Int) -> [String] {
    var pieces: [String] = []
    var rest = self
    while rest.columns > columns {
      let piece = rest.clipped(to: columns)
      guard !piece.isEmpty else { break }
      pieces.append(piece)
      rest = String(rest.unicodeScalars.dropFirst(piece.unicodeScalars.count))
    }
    return pieces + [rest]
  }
}
