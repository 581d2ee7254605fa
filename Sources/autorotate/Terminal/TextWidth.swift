// SPDX-License-Identifier: MIT

import Configuration

extension String {
  /// The number of terminal columns.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// In lines of at most this many columns, broken at spaces; a longer word is a line of its own. At least one line.
  func wrapped(to columns: Int) -> [String] {
    split(separator: " ").reduce(into: [""]) { lines, word in
      let last = lines[lines.count - 1]
      if last.isEmpty || "\(last) \(word)".columns <= columns {
        lines[lines.count - 1] += last.isEmpty ? String(word) : " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }

  /// The longest prefix that fits into this many columns.
  func clipped(to columns: Int) -> String {
    var left = columns
    let fitting = unicodeScalars.prefix { scalar in
      left -= scalar.columns
      return left >= 0
    }
    return String(String.UnicodeScalarView(fitting))
  }
}
