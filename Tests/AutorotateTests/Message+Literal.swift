// SPDX-License-Identifier: MIT

import Autorotation

/// Where only the words matter.
extension Message: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) {
    self.init(.turnRefused, Phrase(verbatim: text))
  }
}
