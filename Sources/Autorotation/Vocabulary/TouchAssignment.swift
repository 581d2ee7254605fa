// SPDX-License-Identifier: MIT

/// The output that the settings assign to a touchscreen or pen.
package struct TouchAssignment: Equatable, Sendable {
  /// The name of a device, or of several: `*` and `?` stand for any text and any character.
  package var pattern: String
  /// The connector's name.
  package var output: String

  package init(_ pattern: String, on output: String) {
    self.pattern = pattern
    self.output = output
  }
}
