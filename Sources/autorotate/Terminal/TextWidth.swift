// SPDX-License-Identifier: MIT

import Configuration

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
}
