// SPDX-License-Identifier: MIT

import Configuration

extension String {
  /// The number of terminal columns.
  var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

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
