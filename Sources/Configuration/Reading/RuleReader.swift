// SPDX-License-Identifier: MIT

import Autorotation

/// A rule, and the places of its parts.
struct WrittenRule: Equatable, Sendable {
  var rule: ApplicationRule
  /// One for each pattern of `rule.matches`.
  var matchPlaces: [SourcePlace] = []
  /// The places of the values, for diagnostics; `nil` for a key that is not written.
  var supportedPlace: SourcePlace?
  var preferredPlace: SourcePlace?
}

/// Reads one file of `apps`.
struct RuleReader {
  private var log: DiagnosticLog
  private var written: WrittenRule

  private init(_ file: ConfigurationFile) {
    log = DiagnosticLog(file)
    let path = file.path.printable(limit: 1000)
    written = WrittenRule(rule: ApplicationRule(source: path, layer: file.layer, matches: []))
  }

  /// - Parameter isWhole: false if some entries are missing because they could not be parsed.
  /// - Returns: no rule if it has any error, since part of a rule would be a different rule.
  static func read(
    _ entries: [TomlEntry], of file: ConfigurationFile, isWhole: Bool
  ) -> (WrittenRule?, [Diagnostic]) {
    var reader = Self(file)
    entries.forEach { reader.read($0) }
    if isWhole { reader.checkWhole(entries) }
    let diagnostics = reader.log.diagnostics
    let isValid = isWhole && !diagnostics.contains { $0.severity == .error }
    return (isValid ? reader.written : nil, diagnostics)
  }

  /// The names in a rule, which may have errors elsewhere.
  static func matches(in entries: [TomlEntry], of file: ConfigurationFile) -> [String] {
    var reader = Self(file)
    entries.forEach { reader.read($0) }
    return reader.written.rule.matches
  }

  private mutating func read(_ entry: TomlEntry) {
    guard let key = ApplicationRule.keys.first(where: { $0.name == entry.key }) else {
      return reportUnknown(entry)
    }
    _ = key.read(entry.node, &written.rule, &log)
    if key.name == "match" { readMatches(entry) }
    if key.name == "supported" { written.supportedPlace = entry.node.place }
    if key.name == "preferred" { written.preferredPlace = entry.node.place }
  }

  private mutating func readMatches(_ entry: TomlEntry) {
    written.rule.source = "\(log.file.path.printable(limit: 1000)):\(entry.keyPlace.line)"
    written.matchPlaces = [entry.node.place]
    if case .array(let nodes) = entry.node.value { written.matchPlaces = nodes.map(\.place) }
    for (pattern, place) in zip(written.rule.matches, written.matchPlaces)
    where pattern.withoutDesktopSuffix != pattern {
      let name = pattern.withoutDesktopSuffix.quotable
      log.report(.warning, at: place, "names of windows do not end in .desktop", advice: "Write \"\(name)\".")
    }
  }

  private mutating func reportUnknown(_ entry: TomlEntry) {
    let key = entry.key.quotable
    if Configuration.sections.contains(entry.key) {
      log.report(
        at: entry.keyPlace, "[\(key)] is a section of config.toml, and this is a rule",
        advice: "Move it to config.toml, in the folder above.")
    } else if entry.node.value.isSection {
      log.report(
        at: entry.keyPlace, "a rule has no sections, but [\(key)] starts one",
        advice: "Write its keys without [\(key)]. Each app has its own file.")
    } else {
      let keys = ApplicationRule.keys.map(\.name)
      let nearest = Spelling.nearest(to: entry.key, among: keys)
      log.report(
        at: entry.keyPlace, "unknown key \"\(key)\"",
        advice: nearest.map { "Did you mean \($0)?" }
          ?? "A rule has the keys \(keys.joined(separator: ", ")).")
    }
  }

  private mutating func checkWhole(_ entries: [TomlEntry]) {
    guard let first = entries.first else { return }
    let keys = Set(entries.map(\.key)).intersection(ApplicationRule.keys.map(\.name))
    if !keys.contains("match"), !keys.isEmpty {
      log.report(
        at: first.keyPlace, "the rule does not say which app it is for",
        advice: "Add a line match = \"…\"; `autorotate explain` shows the name of the focused app.")
    } else if log.diagnostics.isEmpty,
      keys.isSubset(of: ["match", "title", "fullscreen", "posture", "playing"])
    {
      log.report(
        .warning, at: first.keyPlace, "the rule changes nothing",
        advice: "Add supported, preferred or auto-rotate. To switch a rule off, leave its file empty.")
    }
    checkPreferred()
  }

  private mutating func checkPreferred() {
    guard let preferred = written.rule.preferred, let supported = written.rule.supported,
      let place = written.preferredPlace, !supported.mayContain(preferred)
    else { return }
    log.report(
      at: place, "\"\(preferred.word)\" is not an allowed orientation of the rule",
      advice: "Prefer one of \(supported.mask(on: .landscape).quotedWords), or add it to supported.")
  }
}

extension [OrientationName] {
  /// Whether some panel can show the orientation: landscape and portrait depend on the panel.
  func mayContain(_ orientation: InterfaceOrientation) -> Bool {
    PanelAspect.allCases.contains { mask(on: $0).contains(orientation) }
  }
}

extension OrientationMask {
  /// In quotes: "left", "right".
  var quotedWords: String { orientations.map { "\"\($0.word)\"" }.joined(separator: ", ") }
}
