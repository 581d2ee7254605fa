// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What is wrong in a file of settings, where, and what to write instead.
package struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    /// What is written there does not apply.
    case error
    case warning
    /// Nothing is wrong, but it is good to know, such as that something nearer wins.
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

/// Collects everything that is wrong with one file.
struct DiagnosticLog {
  /// Nobody reads more about one file, and each takes time to format.
  static let mostDiagnostics = 50

  let source: SourceText
  private var found: [Diagnostic] = []
  private var leftOut = 0

  init(_ source: SourceText) {
    self.source = source
  }

  mutating func report(
    _ severity: Diagnostic.Severity = .error, at place: SourcePlace?, _ message: Phrase, advice: Phrase? = nil
  ) {
    // An error makes the file invalid, so the first error is kept even after many warnings.
    let isFirstMistake = severity == .error && !found.contains { $0.severity == .error }
    guard found.count < Self.mostDiagnostics || isFirstMistake else { return leftOut += 1 }
    found.append(source.diagnostic(severity, at: place, message, advice: advice))
  }

  /// - Parameters:
  ///   - expected: with its article.
  ///   - example: a whole line that is right.
  mutating func reportKind(_ node: TomlNode, expected: Phrase, example: String) {
    report(at: node.place, "expected \(expected), found \(node.value.kind)", advice: "Write \(example)")
  }

  /// All that is wrong, as far as it is told.
  var diagnostics: [Diagnostic] {
    guard leftOut > 0 else { return found }
    let rest: Phrase = "and \(leftOut) more mistakes, which are not told here"
    return found + [Diagnostic(.warning, path: source.path, message: localized(rest))]
  }
}
