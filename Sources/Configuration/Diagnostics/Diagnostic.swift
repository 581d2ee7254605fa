// SPDX-License-Identifier: MIT

import Autorotation

/// What is wrong in a file of settings, where, and what to write instead.
package struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    /// What is written there does not apply.
    case error
    case warning
    /// Nothing is wrong, but good to know: something nearer wins, for one.
    case note
  }

  package var severity: Severity
  package var path: String
  /// `nil` if it concerns the whole file.
  package var place: SourcePlace?
  package var message: String
  /// What to do about it, as a sentence or several lines.
  package var advice: String?
  /// The line of the file and a line that marks the place below it; empty without a place.
  package var excerpt: [String]

  package init(
    _ severity: Severity, path: String, place: SourcePlace? = nil, message: String, advice: String? = nil,
    excerpt: [String] = []
  ) {
    self.severity = severity
    self.path = path
    self.place = place
    self.message = message
    self.advice = advice
    self.excerpt = excerpt
  }

  /// The first line alone: "apps/mpv.toml:3:14: error: …".
  package var headline: String {
    let position = place.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(path.printable(limit: 1000))\(position): \(severity.rawValue): \(message)"
  }

  /// In full: the headline, the line of the file, the marker, the advice.
  package var description: String {
    ([headline] + (excerpt + [advice].compactMap(\.self)).map { "  " + $0 }).joined(separator: "\n")
  }
}
