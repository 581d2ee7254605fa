// SPDX-License-Identifier: MIT

package import Autorotation

/// A file of settings as it was found.
package struct ConfigurationFile: Equatable, Sendable {
  package enum Kind: Sendable {
    /// config.toml
    case settings
    /// A file of `apps`.
    case rule
  }

  /// Its bytes, or why it cannot be read: "Permission denied".
  package enum Content: Equatable, Sendable {
    case bytes([UInt8])
    case unreadable(reason: String)
  }

  package var path: String
  package var kind: Kind
  package var layer: ApplicationRule.Layer
  package var content: Content

  package init(path: String, kind: Kind, layer: ApplicationRule.Layer, content: Content) {
    self.path = path
    self.kind = kind
    self.layer = layer
    self.content = content
  }

  package init(path: String, kind: Kind, layer: ApplicationRule.Layer, text: String) {
    self.init(path: path, kind: kind, layer: layer, content: .bytes(Array(text.utf8)))
  }

  /// Files of the same name replace each other.
  var name: String { path.afterLastSlash }
  /// Without a last slash.
  var directory: String { String(path.dropLast(name.count + 1)) }
}

extension String {
  fileprivate var afterLastSlash: String {
    lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self
  }
}
