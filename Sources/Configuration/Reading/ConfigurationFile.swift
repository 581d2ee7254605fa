// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// A file of settings and its content.
package struct ConfigurationFile: Equatable, Sendable {
  package enum Kind: Sendable {
    /// config.toml
    case settings
    /// A file of `apps`.
    case rule
  }

  /// Its bytes, or the reason why it cannot be read: "Permission denied".
  package enum Content: Equatable, Sendable {
    case bytes([UInt8])
    case unreadable(reason: String)
  }

  package var path: String
  package var kind: Kind
  package var layer: ApplicationRule.Layer
  package var content: Content

  /// Files of the same name override each other.
  var name: String { String(SystemFile.split(path).name) }
  /// None if it cannot be read.
  var bytes: [UInt8] { if case .bytes(let bytes) = content { bytes } else { [] } }
}

/// The contents of one parsed file. A class, since the daemon keeps each one in several tables.
final class ParsedFile: Sendable {
  enum Contents: Equatable, Sendable {
    case settings([Assignment])
    case rule(WrittenRule)
    /// No keys at all. In `apps`, that disables rules of other layers with the same file name.
    case nothing
    /// An invalid rule.
    case broken
  }

  /// Far more than settings need; a larger file is something else.
  static let maximumBytes = 64 * 1024

  let file: ConfigurationFile
  let contents: Contents
  let diagnostics: [Diagnostic]

  var isBroken: Bool { fault != nil }
  var fault: Diagnostic? { diagnostics.first { $0.severity == .error } }
  /// The values of a config.toml.
  var assignments: [Assignment] {
    if case .settings(let assignments) = contents { assignments } else { [] }
  }
  /// `nil` unless it is a valid rule.
  var written: WrittenRule? {
    if case .rule(let written) = contents { written } else { nil }
  }
  var rule: ApplicationRule? { written?.rule }

  /// The applications of a rule, as far as they are readable, and the name of the file.
  var applications: [String] {
    let stem = String(file.name.dropLast(".toml".count))
    return RuleReader.matches(in: TomlRecovery(file).entries ?? [], of: file) + [stem]
  }

  init(_ file: ConfigurationFile) {
    self.file = file
    (contents, diagnostics) = Self.read(file)
  }

  /// A valid version, with the diagnostics of an invalid one.
  init(_ valid: ParsedFile, diagnostics: [Diagnostic]) {
    (file, contents, self.diagnostics) = (valid.file, valid.contents, diagnostics)
  }

  private static func read(_ file: ConfigurationFile) -> (Contents, [Diagnostic]) {
    let nothing = file.kind == .settings ? Contents.settings([]) : .broken
    if let unreadability = unreadability(of: file) { return (nothing, [unreadability]) }
    let recovery = TomlRecovery(file)
    let failures = recovery.failures.map { diagnostic(for: $0, in: file) }
    guard let entries = recovery.entries else { return (nothing, failures) }
    switch file.kind {
    case .settings:
      let (assignments, diagnostics) = SettingsReader.read(entries, of: file)
      return (.settings(assignments), failures + diagnostics)
    case .rule where entries.isEmpty && failures.isEmpty: return (.nothing, [])
    case .rule:
      let (rule, diagnostics) = RuleReader.read(entries, of: file, isWhole: failures.isEmpty)
      return (rule.map(Contents.rule) ?? .broken, failures + diagnostics)
    }
  }

  private static func unreadability(of file: ConfigurationFile) -> Diagnostic? {
    switch file.content {
    case .unreadable(let reason):
      file.diagnostic(
        .error, at: nil, "cannot be read: \(reason)",
        advice: "Make it a text file that you may read, or remove it.")
    case .bytes(let bytes) where bytes.count > maximumBytes:
      file.diagnostic(
        .error, at: nil, "is larger than \(maximumBytes / 1024) KiB",
        advice: "Settings are a few lines. Is it the right file?")
    case .bytes: nil
    }
  }

  private static func diagnostic(for failure: TomlFailure, in file: ConfigurationFile) -> Diagnostic {
    file.diagnostic(
      .error, at: failure.place, "\(failure.message.quotableSentence)",
      advice: SyntaxHint.hint(for: failure, in: file.line(failure.place.line)))
  }
}

extension String {
  /// toml++ starts every message with the same words, and quotes the file without escaping.
  fileprivate var quotableSentence: String {
    let prefix = "Error while parsing "
    let text = hasPrefix(prefix) ? "not TOML: in " + dropFirst(prefix.count) : "not TOML: " + self
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isDisruptive ? "\u{FFFD}" : $0 }))
  }
}
