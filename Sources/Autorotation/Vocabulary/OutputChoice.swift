// SPDX-License-Identifier: MIT

/// The outputs that the user chose to rotate together. None stands for the built-in panels.
package struct OutputChoice: Equatable, Sendable {
  /// The connectors' names.
  package var names: [String]
  /// Whether it comes from `--output`.
  package var isFromCommandLine: Bool

  package init(_ names: [String] = [], isFromCommandLine: Bool = false) {
    self.names = names
    self.isFromCommandLine = isFromCommandLine
  }

  package var isAutomatic: Bool { names.isEmpty }
}
