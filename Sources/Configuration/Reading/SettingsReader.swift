// SPDX-License-Identifier: MIT

import Autorotation

/// Reads a config.toml.
struct SettingsReader {
  private var values: ValueReader
  /// Whether it was meant as one.
  private let isRule: Bool
  private var assignments: [Assignment] = []

  private init(values: ValueReader, isRule: Bool) {
    self.values = values
    self.isRule = isRule
  }

  /// - Returns: all that could be understood, and what is wrong with the rest.
  static func read(_ entries: [TomlEntry], of source: SourceText) -> ([Assignment], [Diagnostic]) {
    var reader = Self(values: ValueReader(source), isRule: entries.contains { $0.key == "match" })
    entries.forEach { reader.readSection($0) }
    return (reader.assignments, reader.values.diagnostics)
  }

  private mutating func readSection(_ entry: TomlEntry) {
    guard SettingKey.sections.contains(entry.key) else { return reportUnknownSection(entry) }
    guard case .table(let entries) = entry.node.value else {
      values.report(
        at: entry.node.place, "expected the section [\(entry.key)], found \(entry.node.value.kind)",
        advice: "Write [\(entry.key)] on a line of its own, and its keys below.")
      return
    }
    entries.forEach { readKey($0, in: entry.key) }
  }

  private mutating func readKey(_ entry: TomlEntry, in section: String) {
    guard let key = SettingKey.all.first(where: { $0.section == section && $0.name == entry.key }) else {
      return reportUnknownKey(entry, in: section)
    }
    guard let setting = key.read(entry.node, with: &values) else { return }
    assignments.append(
      Assignment(section: section, key: key.name, setting: setting, place: entry.node.place))
  }

  private mutating func reportUnknownKey(_ entry: TomlEntry, in section: String) {
    let names = SettingKey.all.filter { $0.section == section }.map(\.name)
    let message: Phrase = "unknown key \"\(entry.key.quotable)\" in [\(section)]"
    if let home = SettingKey.all.first(where: { $0.name == entry.key }) {
      values.report(at: entry.keyPlace, message, advice: "\(home.name) belongs in [\(home.section)].")
    } else if let nearest = Likeness.nearest(to: entry.key, among: names) {
      values.report(at: entry.keyPlace, message, advice: "Did you mean \(nearest)?")
    } else {
      let list = names.joined(separator: ", ")
      values.report(at: entry.keyPlace, message, advice: "[\(section)] has \(list).")
    }
  }

  private mutating func reportUnknownSection(_ entry: TomlEntry) {
    let key = entry.key.quotable
    var message: Phrase = "unknown key \"\(key)\" outside any section"
    if case .table = entry.node.value { message = "unknown section [\(key)]" }
    values.report(at: entry.keyPlace, message, advice: advice(forSection: entry.key))
  }

  private func advice(forSection name: String) -> Phrase {
    if let key = SettingKey.all.first(where: { $0.name == name }), !isRule {
      return "\(key.name) belongs in [\(key.section)]: write [\(key.section)] on a line above it."
    }
    if RuleReader.keys.contains(name) {
      return "\(name) belongs in a rule: a file of its own in the folder apps, beside config.toml."
    }
    if let nearest = Likeness.nearest(to: name, among: SettingKey.sections) {
      return "Did you mean [\(nearest)]?"
    }
    if let key = Likeness.nearest(to: name, among: SettingKey.all.map(\.name)) {
      return "Did you mean \(key)? Keys stand below their section, such as [desktop]."
    }
    return "The sections are \(SettingKey.sections.map { "[\($0)]" }.joined(separator: ", "))."
  }
}
