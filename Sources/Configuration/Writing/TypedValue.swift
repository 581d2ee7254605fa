// SPDX-License-Identifier: MIT

import System

/// Converts a typed value to the form of the file: the first interpretation that is valid for the key.
enum TypedValue {
  static func literal(
    _ words: [String], of key: SettingKey, path: String
  ) throws(SettingsEdit.Failure) -> String {
    var refusals: [[Diagnostic]] = []
    for literal in Self.interpretations(of: words) {
      let errors = Self.errors(of: literal, for: key, path)
      if errors.isEmpty { return literal }
      refusals.append(errors)
    }
    throw .mistaken(refusals.first ?? [])
  }

  private static func interpretations(of words: [String]) -> [String] {
    let asTable = [table(of: words)].compactMap(\.self)
    guard words.count == 1, let word = words.first else { return [TomlLiteral.list(words)] + asTable }
    let parts = word.split(separator: ",").map { $0.trimmed }
    let asList = parts.count > 1 ? [TomlLiteral.list(parts)] : []
    return asWritten(word) + [TomlLiteral.text(word)] + asList + asTable
  }

  /// From words such as `*RAYD*=eDP-2`, with or without quotes.
  private static func table(of words: [String]) -> String? {
    let parts = words.flatMap { $0.split(separator: ",") }
    let pairs = parts.compactMap { part -> String? in
      guard let sign = part.lastIndex(of: "=") else { return nil }
      let (name, value) = (part[..<sign].unquoted, part[part.index(after: sign)...].unquoted)
      guard !name.isEmpty else { return nil }
      return "\(TomlLiteral.text(name)) = \(TomlLiteral.text(value))"
    }
    return pairs.count == parts.count ? "{ \(pairs.joined(separator: ", ")) }" : nil
  }

  /// A value in the form of the file; exactly one, so that no other key is added with it.
  private static func asWritten(_ word: String) -> [String] {
    let document = try? TomlDocument.parse(Array("x = \(word)\n".utf8))
    return document?.count == 1 && !word.contains("\n") && !word.contains("#") ? [word.trimmed] : []
  }

  private static func errors(of literal: String, for key: SettingKey, _ path: String) -> [Diagnostic] {
    guard let node = try? TomlDocument.parse(Array("\(key.name) = \(literal)\n".utf8)).first?.node else {
      return []
    }
    var log = DiagnosticLog(SourceText(path: path, bytes: Array("\(key.name) = \(literal)\n".utf8)))
    var configuration = Configuration()
    _ = key.read(node, &configuration, &log)
    return log.diagnostics.filter { $0.severity == .error }
  }
}

extension StringProtocol {
  fileprivate var unquoted: String {
    let plain = trimmed
    guard plain.count > 1, plain.hasPrefix("\""), plain.hasSuffix("\"") else { return plain }
    return String(plain.dropFirst().dropLast())
  }
}
