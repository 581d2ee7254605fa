// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// Turns values of one file into settings, and collects everything that is wrong with them.
struct ValueReader {
  /// Nobody reads more about one file, and finding places and words for them takes its time.
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
    // A mistake makes the file a broken one, so the first is kept whatever came before.
    let isFirstMistake = severity == .error && !found.contains { $0.severity == .error }
    guard found.count < Self.mostDiagnostics || isFirstMistake else { return leftOut += 1 }
    found.append(source.diagnostic(severity, at: place, message, advice: advice))
  }

  /// All that is wrong, as far as it is told.
  var diagnostics: [Diagnostic] {
    guard leftOut > 0 else { return found }
    let rest: Phrase = "and \(leftOut) more mistakes, which are not told here"
    return found + [Diagnostic(.warning, path: source.path, message: localized(rest))]
  }

  /// - Parameters:
  ///   - expected: with its article.
  ///   - example: a whole line that is right.
  private mutating func reportKind(_ node: TomlNode, expected: Phrase, example: String) {
    report(
      at: node.place, "expected \(expected), found \(node.value.kind)", advice: "Write \(example)")
  }

  mutating func boolean(_ node: TomlNode, example: String) -> Bool? {
    if case .boolean(let value) = node.value { return value }
    reportKind(node, expected: "true or false", example: example)
    return nil
  }

  mutating func text(_ node: TomlNode, expected: Phrase = "text", example: String) -> String? {
    guard case .text(let text) = node.value else {
      reportKind(node, expected: expected, example: example)
      return nil
    }
    guard !text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
      report(at: node.place, "expected \(expected), found none", advice: "Write \(example)")
      return nil
    }
    return text
  }

  mutating func word<Value>(_ node: TomlNode, _ words: Words<Value>, example: String) -> Value? {
    guard let text = text(node, expected: words.kind, example: example) else { return nil }
    if let value = words[text] { return value }
    report(at: node.place, "\"\(text.quotable)\" is not \(words.kind)", advice: words.advice(for: text))
    return nil
  }

  /// One or several in a list, at least one.
  mutating func words<Value>(_ node: TomlNode, _ words: Words<Value>, example: String) -> [Value]? {
    list(node, expected: "\(words.kind) or a list of them", example: example) { node, reader in
      reader.word(node, words, example: example)
    }
  }

  mutating func texts(
    _ node: TomlNode, mayBeEmpty: Bool = false, expected: Phrase, example: String
  ) -> [String]? {
    list(node, mayBeEmpty: mayBeEmpty, expected: "\(expected) or a list of them", example: example) {
      $1.text($0, expected: expected, example: example)
    }
  }

  /// - Returns: `nil` if any element is wrong: half a list is not what the person said.
  private mutating func list<Element>(
    _ node: TomlNode, mayBeEmpty: Bool = false, expected: Phrase, example: String,
    read: (TomlNode, inout Self) -> Element?
  ) -> [Element]? {
    switch node.value {
    case .array(let nodes) where nodes.isEmpty && !mayBeEmpty:
      report(at: node.place, "an empty list leaves nothing", advice: "Write \(example)")
      return nil
    case .array(let nodes):
      let elements = nodes.map { read($0, &self) }
      return elements.contains { $0 == nil } ? nil : elements.compactMap(\.self)
    case .text: return read(node, &self).map { [$0] }
    default:
      reportKind(node, expected: expected, example: example)
      return nil
    }
  }
}

extension SourceText {
  func diagnostic(
    _ severity: Diagnostic.Severity, at place: SourcePlace?, _ message: Phrase, advice: Phrase? = nil
  ) -> Diagnostic {
    Diagnostic(
      severity, path: path, place: place, message: localized(message), advice: advice.map(localized),
      excerpt: place.map(excerpt) ?? [])
  }
}

extension String {
  /// For a message of one line: short, and without control characters.
  var quotable: String {
    let clean = unicodeScalars.prefix(60).map { scalar in
      scalar.isDisruptive ? "\u{FFFD}" : scalar
    }
    return String(String.UnicodeScalarView(clean)) + (unicodeScalars.count > 60 ? "…" : "")
  }
}
