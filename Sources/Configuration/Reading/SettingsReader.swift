// SPDX-License-Identifier: MIT

import Autorotation

/// A value of config.toml and its place.
struct Assignment: Equatable, Sendable {
  let key: SettingKey
  /// The configuration if the file had only this value.
  let alone: Configuration
  let place: SourcePlace

  /// Whether it has no effect.
  var isDefault: Bool { alone == Configuration() }
}

/// Reads a config.toml.
struct SettingsReader {
  private var log: DiagnosticLog
  /// Whether the file was probably meant as a rule.
  private let isRule: Bool
  private var assignments: [Assignment] = []

  /// - Returns: all valid values, and the diagnostics of the others.
  static func read(_ entries: [TomlEntry], of file: ConfigurationFile) -> ([Assignment], [Diagnostic]) {
    var reader = Self(log: DiagnosticLog(file), isRule: entries.contains { $0.key == "match" })
    entries.forEach { reader.readSection($0) }
    return (reader.assignments, reader.log.diagnostics)
  }

  private mutating func readSection(_ entry: TomlEntry) {
    guard Configuration.sections.contains(entry.key) else { return reportUnknownSection(entry) }
    guard case .table(let entries) = entry.node.value else {
      return log.report(
        at: entry.node.place, "expected the section [\(entry.key)], found \(entry.node.value.kind)",
        advice: "Write [\(entry.key)] on a line of its own, and its keys below.")
    }
    entries.forEach { readKey($0, in: entry.key) }
  }

  private mutating func readKey(_ entry: TomlEntry, in section: String) {
    guard let key = Configuration.keys.first(where: { $0.section == section && $0.name == entry.key }) else {
      if let removed = RemovedName("\(section).\(entry.key)") {
        return log.report(.warning, at: entry.keyPlace, removed.fact, advice: "Delete this line.")
      }
      return reportUnknownKey(entry, in: section)
    }
    var alone = Configuration()
    guard key.read(entry.node, &alone, &log) else { return }
    assignments.append(Assignment(key: key, alone: alone, place: entry.node.place))
  }

  private mutating func reportUnknownKey(_ entry: TomlEntry, in section: String) {
    let names = Configuration.keys.filter { $0.section == section }.map(\.name)
    let message: Phrase = "unknown key \"\(entry.key.quotable)\" in [\(section)]"
    if let home = Configuration.keys.first(where: { $0.name == entry.key }) {
      log.report(at: entry.keyPlace, message, advice: "\(home.name) belongs in [\(home.section)].")
    } else if let nearest = Spelling.nearest(to: entry.key, among: names) {
      log.report(at: entry.keyPlace, message, advice: "Did you mean \(nearest)?")
    } else {
      let list = names.joined(separator: ", ")
      log.report(at: entry.keyPlace, message, advice: "[\(section)] has \(list).")
    }
  }

  private mutating func reportUnknownSection(_ entry: TomlEntry) {
    let key = entry.key.quotable
    var message: Phrase = "unknown key \"\(key)\" outside any section"
    if case .table = entry.node.value { message = Phrase("unknown section [\(key)]") }
    log.report(at: entry.keyPlace, message, advice: advice(forSection: entry.key))
  }

  private func advice(forSection name: String) -> Phrase {
    if let key = Configuration.keys.first(where: { $0.name == name }), !isRule {
      return "\(key.name) belongs in [\(key.section)]: write [\(key.section)] on a line above it."
    }
    if ApplicationRule.keys.contains(where: { $0.name == name }) {
      return "\(name) belongs in a rule: a separate file in the folder apps, next to config.toml."
    }
    if let nearest = Spelling.nearest(to: name, among: Configuration.sections) {
      return "Did you mean [\(nearest)]?"
    }
    if let key = Spelling.nearest(to: name, among: Configuration.keys.map(\.name)) {
      return "Did you mean \(key)? Write keys below their section, such as [desktop]."
    }
    return "The sections are \(Configuration.sections.map { "[\($0)]" }.joined(separator: ", "))."
  }
}
