// SPDX-License-Identifier: MIT

// Names of windows, devices and outputs, and messages of other programs, are untrusted. They are cleaned once, on
// input, because there are many outputs: terminals, journals, the bus, the environment of hooks. What a
// shell or another language would read is compared by scalar: to Swift, a quote and an accent are one character.

extension String {
  /// One line without control characters, fit for a terminal or a journal.
  /// - Parameter limit: how many scalars are kept.
  package func printable(limit: Int = 200) -> String {
    if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    let shown = unicodeScalars.prefix(limit).map { $0.isDisruptive ? " " : $0 }
    return String(String.UnicodeScalarView(shown))
  }

  /// Several lines, each without control characters, however long.
  package var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable(limit: .max) }
      .joined(separator: "\n")
  }

  /// Quoted for a shell, in a command for the user.
  package var asArgument: String {
    if !isEmpty, unicodeScalars.allSatisfy(\.isPlain) { return self }
    // Not within the quotes, where fish reads a backslash in its own way.
    let text = printable(limit: 1000).unicodeScalars.map { $0 == "'" || $0 == "\\" ? "'\\\($0)'" : "\($0)" }
    return "'\(text.joined())'"
  }
}

extension Unicode.Scalar {
  /// Whether no shell interprets it.
  package var isPlain: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "+", "@", ":", "/": true
    default: false
    }
  }

  /// Whether it is a letter or a sign on one, in any script.
  package var isOfWord: Bool {
    let category = properties.generalCategory
    return properties.isAlphabetic || category == .nonspacingMark || category == .spacingMark
  }

  /// Whether it affects the text around it (moves the cursor, ends the line, changes the reading direction), or is
  /// not a character at all, so that the bus would reject the text.
  package var isDisruptive: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl || properties.isNoncharacterCodePoint
    }
  }
}

/// Escapes plain text for XML, and for Pango's and HTML's markup.
package enum Markup {
  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
  ]

  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
  }
}

extension Double {
  /// For messages: rounded, with this many digits behind the point.
  package func text(decimals: Int) -> String {
    guard magnitude < 1e15 else { return "\(self)" }
    let unit = (0..<decimals).reduce(1) { unit, _ in unit * 10 }
    let rounded = Int((magnitude * Double(unit)).rounded())
    let sign = self < 0 && rounded > 0 ? "-" : ""
    guard decimals > 0 else { return sign + "\(rounded)" }
    let fraction = "\(rounded % unit)"
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(rounded / unit).\(zeros)\(fraction)"
  }
}

extension StringProtocol {
  /// The name of a desktop file without `.desktop`, as windows have it.
  package var withoutDesktopSuffix: String {
    let suffix = ".desktop"
    return lowercased().hasSuffix(suffix) ? String(dropLast(suffix.count)) : String(self)
  }
}
