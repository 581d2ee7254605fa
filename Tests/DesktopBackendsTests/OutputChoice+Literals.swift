// SPDX-License-Identifier: MIT

import Autorotation

extension OutputChoice: ExpressibleByNilLiteral, ExpressibleByStringLiteral {
  package init(nilLiteral: ()) {
    self.init()
  }

  package init(stringLiteral name: String) {
    self.init([name])
  }
}
