// SPDX-License-Identifier: MIT

package import Autorotation
import Language

/// A fault in a file of settings: its place, and the text to write instead.
package struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  package enum Severity: String, Sendable {
    /// The text at the place does not apply.
    case error
    case warning
    /// No fault, but useful information, such as a file that overrides this one.
    case note
  }

  package var severity: Severity
  package var path: String
  /// `nil` if it concerns the whole file.
  package var place: SourcePlace?
  package var message: Phrase
  /// The next step, in a sentence or several lines.
  package var advice: Phrase?
  /// The line of the file, and a line below that marks the place; empty without a place.
  package var excerpt: [String] = []

  /// "apps/mpv.toml:3:14"
  var position: String {
    path.printable(limit: 1000) + (place.map { ":\($0.line):\($0.column)" } ?? "")
  }

  /// The first line: "apps/mpv.toml:3:14: error: …".
  package var headline: Phrase { "\(position): \(severity.rawValue): \(message)" }

  /// In full, in the user's language: the headline, the line of the file, the marker, the advice.
  package var description: String {
    let details = excerpt + [advice].compactMap { $0.map(localized) }
    return ([localized(headline)] + details.map { "  " + $0 }).joined(separator: "\n")
  }
}

/// Collects the faults of one file.
struct DiagnosticLog {
  /// More are not useful for one file, and each takes time to format.
  static let maximumDiagnostics = 50

  let file: ConfigurationFile
  private var found: [Diagnostic] = []
  private var leftOut = 0

  init(_ file: ConfigurationFile) {
    self.file = file
  }

  mutating func report(
    _ severity: Diagnostic.Severity = .error, at place: SourcePlace?, _ message: Phrase, advice: Phrase? = nil
  ) {
    // An error makes the file invalid, so the first error is kept even after many warnings.
    let isFirstMistake = severity == .error && !found.contains { $0.severity == .error }
    guard found.count < Self.maximumDiagnostics || isFirstMistake else { return leftOut += 1 }
    found.append(file.diagnostic(severity, at: place, message, advice: advice))
  }

  /// Reports an invalid value.
  /// - Returns: `nil`, in place of the value.
  mutating func reject<Value>(_ node: TomlNode, _ message: Phrase, advice: Phrase) -> Value? {
    report(at: node.place, message, advice: advice)
    return nil
  }

  /// - Parameters:
  ///   - expected: with its article.
  ///   - example: a complete valid line.
  mutating func rejectKind<Value>(_ node: TomlNode, expected: Phrase, example: String) -> Value? {
    reject(node, "expected \(expected), found \(node.value.kind)", advice: "Write \(example)")
  }

  var diagnostics: [Diagnostic] {
    guard leftOut > 0 else { return found }
    let rest: Phrase = "and \(leftOut) more mistakes, which are not shown"
    return found + [Diagnostic(severity: .warning, path: file.path, message: rest)]
  }
}
