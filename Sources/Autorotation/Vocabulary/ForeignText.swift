// SPDX-License-Identifier: MIT

// Names of windows, devices and outputs, and what other programs say, are chosen by others. They are cleaned once,
// where they enter, since they leave again in many ways: terminals, journals, the bus, the environment of hooks.

extension String {
  /// One line without control characters, fit for a terminal or a journal.
  /// - Parameter limit: how many scalars stay; what is behind them is left out.
  package func printable(limit: Int = 200) -> String {
    if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    let shown = unicodeScalars.prefix(limit).map { $0.isDisruptive ? " " : $0 }
    return String(String.UnicodeScalarView(shown))
  }
}

extension Unicode.Scalar {
  /// Whether it does something to the text around it: moves the cursor, ends the line, turns the direction in
  /// which the rest is read; or is no character at all, which keeps the text off the bus.
  package var isDisruptive: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: properties.isBidiControl || properties.isNoncharacterCodePoint
    }
  }
}
