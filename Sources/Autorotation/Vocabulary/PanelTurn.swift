// SPDX-License-Identifier: MIT

/// How one of the outputs that turn together is to be turned.
package struct PanelTurn: Equatable, Sendable {
  /// The connector's name.
  package var output: String
  package var transform: DisplayTransform

  package init(_ output: String, to transform: DisplayTransform) {
    self.output = output
    self.transform = transform
  }
}
