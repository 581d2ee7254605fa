// SPDX-License-Identifier: MIT

/// The outputs that a person has named to be turned, all of them together. None stands for the built-in panels.
package struct OutputChoice: Equatable, Sendable {
  /// The connectors' names.
  package var names: [String]

  package init(_ names: [String] = []) {
    self.names = names
  }

  package var isAutomatic: Bool { names.isEmpty }
}

extension OutputChoice: ExpressibleByNilLiteral, ExpressibleByStringLiteral {
  package init(nilLiteral: ()) {
    self.init()
  }

  package init(stringLiteral name: String) {
    self.init([name])
  }
}
