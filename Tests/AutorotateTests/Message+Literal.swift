// SPDX-License-Identifier: MIT

import Autorotation

/// For tests in which only the text matters.
extension Message: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) {
    self.init(.rotationRefused, Phrase(verbatim: text))
  }
}
