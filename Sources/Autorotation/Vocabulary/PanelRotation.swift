// SPDX-License-Identifier: MIT

/// The transform for one output.
package struct PanelRotation: Equatable, Sendable {
  /// The connector's name.
  package var output: String
  package var transform: DisplayTransform

  package init(_ output: String, to transform: DisplayTransform) {
    self.output = output
    self.transform = transform
  }
}
