// SPDX-License-Identifier: MIT

/// What a person says of where a touchscreen or pen lies.
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
