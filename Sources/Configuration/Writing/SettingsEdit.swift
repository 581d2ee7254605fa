// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// A key of config.toml, for commands, completion and the settings window.
package typealias SettingKey = Key<Configuration>

extension SettingKey {
  package static var all: [Self] { Configuration.keys }

  /// "desktop.rotate-in"
  package var fullName: String { "\(section).\(name)" }
  /// The command that sets the example; `nil` for a value of several parts.
  var exampleCommand: String? {
    let value = example.split(separator: "=", maxSplits: 1).last.map(\.trimmed)?.replacing("\"", with: "")
    guard let value, !value.isEmpty, !value.contains(where: { " [{'".contains($0) }) else { return nil }
    return "autorotate config set \(fullName) \(value)"
  }

  /// - Parameter name: "desktop.rotate-in", "[desktop] rotate-in", or "rotate-in" if unique.
  package init(named name: String) throws(Message) {
    let plain = Self.plain(name)
    let found = Self.all.filter { $0.fullName == plain || $0.name == plain }
    guard found.count == 1, let key = found.first else { throw Self.refusal(of: name, plain, found) }
    self = key
  }

  /// "[desktop] rotate-in" as "desktop.rotate-in".
  static func plain(_ name: String) -> String {
    name.replacing("[", with: "").replacing("] ", with: ".").replacing("]", with: ".")
  }

  private static func refusal(of name: String, _ plain: String, _ found: [Self]) -> Message {
    let names = found.map(\.fullName)
    if !names.isEmpty {
      return Message(
        .commandMistaken, "\(name.quotable) is in several sections",
        next: "use one of \(names.joined(separator: ", "))")
    }
    let short = all.first { $0.name == Spelling.nearest(to: plain, among: all.map(\.name)) }
    let nearest = Spelling.nearest(to: plain, among: all.map(\.fullName)) ?? short?.fullName
    return Message(
      .commandMistaken, "config.toml has no key \"\(name.quotable)\"",
      next: nearest.map { "did you mean \($0)?" } ?? "see all of them with `autorotate config get`")
  }
}

/// Changes one setting in the text of a config.toml, and leaves the rest as it is.
struct SettingsEdit {
  let key: SettingKey
  /// The value as typed: the words of a list separately or with commas between, text without quotes, or in the form of
  /// the file, as a name in a list needs that has a comma; `nil` to remove the value, so that the administrator's value
  /// or the default applies.
  let words: [String]?
  let path: String

  func applied(to bytes: [UInt8]) throws(Message) -> [UInt8] {
    let literal = try words.map(typed)
    let old = file(bytes)
    guard !old.isBroken, var text = TomlText(bytes) else { throw broken(old.errors) }
    let wanted = literal.flatMap { file($0).value(of: key) }
    guard old.value(of: key) != wanted else { return text.bytes }
    text.set(key.name, in: key.section, to: literal)
    let new = file(text.bytes)
    if new.file.bytes.count > ParsedFile.maximumBytes, let fault = new.fault { throw mistaken(fault) }
    // All other values must be unchanged.
    guard !new.isBroken, new.others(than: key) == old.others(than: key), new.value(of: key) == wanted else {
      throw unusual(literal)
    }
    return new.file.bytes
  }

  /// The typed value in the form of the file: the first interpretation that is valid for the key.
  private func typed(_ words: [String]) throws(Message) -> String {
    let literals = TypedValue.interpretations(of: words, of: key)
    if let valid = literals.first(where: { !file($0).isBroken }) { return valid }
    throw file(literals[0]).fault.map(mistaken) ?? unusual(nil)
  }

  private func file(_ bytes: [UInt8]) -> ParsedFile {
    ParsedFile(ConfigurationFile(path: path, kind: .settings, layer: .user, content: .bytes(bytes)))
  }

  /// A file with this value alone.
  private func file(_ literal: String) -> ParsedFile {
    file(Array("[\(key.section)]\n\(line(literal))\n".utf8))
  }

  private func line(_ literal: String) -> String { "\(key.name) = \(literal)" }

  // MARK: Refusals

  /// The file has errors.
  private func broken(_ diagnostics: [Diagnostic]) -> Message {
    let faults = diagnostics.map { "\($0)" }.joined(separator: "\n\n")
    return Message(.commandMistaken, "nothing was written: first fix this\n\n\(faults)")
  }

  /// The value has an error.
  private func mistaken(_ error: Diagnostic) -> Message {
    let mistake = Message(mistaken: error, in: path)
    if error.advice?.description.contains(key.example) == true, let command = key.exampleCommand {
      return Message(mistake.code, mistake.what, next: "as in: \(command)")
    }
    guard key.path == \Configuration.machine.touchMap else { return mistake }
    // It is typed in another form than in the file.
    return Message(
      mistake.code, mistake.what,
      next: "give a device and its output: autorotate config set touch.map '*RAYD0002*=eDP-2'")
  }

  /// The file is valid, but its layout cannot be edited safely.
  private func unusual(_ literal: String?) -> Message {
    Message(
      .commandFailed, "\(path.printable(limit: 1000)) is laid out in a way that is better edited by hand",
      next: "under [\(key.section)], write a line such as \(literal.map(line) ?? key.example)")
  }
}

extension ParsedFile {
  var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }

  fileprivate func others(than key: SettingKey) -> [Configuration] {
    assignments.filter { $0.key != key }.map(\.alone)
  }

  fileprivate func value(of key: SettingKey) -> Configuration? {
    assignments.first { $0.key == key }?.alone
  }
}

/// What a typed value may mean, in the form of the file.
enum TypedValue {
  static func interpretations(of words: [String], of key: SettingKey) -> [String] {
    let asTable = [table(of: words)].compactMap(\.self)
    let parts = words.flatMap { $0.split(separator: ",") }.map { $0.trimmed }.filter { !$0.isEmpty }
    guard words.count == 1, let word = words.first else {
      return [TomlLiteral.list(key.isList ? parts : words)] + asTable
    }
    // Any text is a valid name, so a text with commas would never be read as a list.
    if key.isList, word.contains(","), !parts.isEmpty { return asWritten(word) + [TomlLiteral.list(parts)] }
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

  /// A value in the form of the file; exactly one, so that no other key or comment is added with it.
  private static func asWritten(_ word: String) -> [String] {
    let document = try? TomlDocument.parse(Array("x = \(word)\n".utf8))
    // A comment would hide the closing bracket.
    let hasComment = word.contains("#") && (try? TomlDocument.parse(Array("x = [\(word)]\n".utf8))) == nil
    return document?.count == 1 && !word.contains("\n") && !hasComment ? [word.trimmed] : []
  }
}

extension StringProtocol {
  fileprivate var unquoted: String {
    let plain = trimmed
    guard plain.count > 1, plain.hasPrefix("\""), plain.hasSuffix("\"") else { return plain }
    return String(plain.dropFirst().dropLast())
  }
}
