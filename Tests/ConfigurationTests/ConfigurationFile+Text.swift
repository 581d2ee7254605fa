// SPDX-License-Identifier: MIT

import Autorotation

@testable import Configuration

extension ConfigurationFile {
  init(path: String, kind: Kind, layer: ApplicationRule.Layer, text: String) {
    self.init(path: path, kind: kind, layer: layer, content: .bytes(Array(text.utf8)))
  }
}
