// SPDX-License-Identifier: MIT

import Autorotation

/// A rule, and where its parts are written.
struct WrittenRule: Equatable, Sendable {
  var rule: ApplicationRule
  /// Of each pattern of `rule.matches`.
  var matchPlaces: [SourcePlace]
  var supportedPlace: SourcePlace?
  var preferredPlace: SourcePlace?
}

/// Reads one file of `apps`.
struct RuleReader {
  static let keys = ["match", "fullscreen", "supported", "preferred", "auto-rotate"]

  private var values: ValueReader
  private var rule: ApplicationRule
  private var matchPlaces: [SourcePlace] = []
  private var places: [String: SourcePlace] = [:]

  private init(_ source: SourceText, layer: ApplicationRule.Layer) {
    values = ValueReader(source)
    rule = ApplicationRule(source: source.path.printable(limit: 1000), layer: layer, matches: [])
  }

  /// - Parameter isWhole: whether these are all entries, and none is missing because it could not be parsed.
  /// - Returns: no rule if anything is wrong with it: half a rule is another rule.
  static func read(
    _ entries: [TomlEntry], of source: SourceText, layer: ApplicationRule.Layer, isWhole: Bool
  ) -> (WrittenRule?, [Diagnostic]) {
    var reader = Self(source, layer: layer)
    entries.forEach { reader.read($0) }
    if isWhole { reader.checkWhole(entries) }
    let diagnostics = reader.values.diagnostics
    let isSound = isWhole && !diagnostics.contains { $0.severity == .error }
    return (isSound ? reader.written : nil, diagnostics)
  }

  private var written: WrittenRule {
    WrittenRule(
      rule: rule, matchPlaces: matchPlaces, supportedPlace: places["supported"],
      preferredPlace: places["preferred"])
  }

  private mutating func read(_ entry: TomlEntry) {
    let node = entry.node
    places[entry.key] = node.place
    switch entry.key {
    case "match": readMatch(entry)
    case "fullscreen": rule.fullscreen = values.boolean(node, example: "fullscreen = true")
    case "supported":
      rule.supported = values.words(node, Vocabulary.orientations, example: "supported = [\"landscape\"]")
    case "preferred":
      rule.preferred = values.word(node, Vocabulary.orientation, example: "preferred = \"normal\"")
    case "auto-rotate":
      rule.autoRotate = values.boolean(node, example: "auto-rotate = false") ?? true
    default: reportUnknown(entry)
    }
  }

  private mutating func readMatch(_ entry: TomlEntry) {
    let example = "match = [\"mpv\", \"io.mpv.Mpv\"]"
    rule.source = "\(values.source.path.printable(limit: 1000)):\(entry.keyPlace.line)"
    guard let matches = values.texts(entry.node, expected: "the name of an application", example: example)
    else { return }
    rule.matches = matches
    matchPlaces = [entry.node.place]
    if case .array(let nodes) = entry.node.value { matchPlaces = nodes.map(\.place) }
    for (pattern, place) in zip(matches, matchPlaces) where pattern.lowercased().hasSuffix(".desktop") {
      let name = String(pattern.dropLast(".desktop".count)).quotable
      values.report(
        .warning, at: place, "no window goes by the name of a desktop file", advice: "Write \"\(name)\".")
    }
  }

  private mutating func reportUnknown(_ entry: TomlEntry) {
    let key = entry.key.quotable
    if SettingKey.sections.contains(entry.key) {
      values.report(
        at: entry.keyPlace, "[\(key)] is a section of config.toml, and this is a rule",
        advice: "Move it to config.toml, in the folder above.")
    } else if entry.node.value.isSection {
      values.report(
        at: entry.keyPlace, "a rule has no sections, and [\(key)] begins one",
        advice: "Write its keys without [\(key)]. Each application has a file of its own.")
    } else {
      let nearest = Likeness.nearest(to: entry.key, among: Self.keys)
      values.report(
        at: entry.keyPlace, "unknown key \"\(key)\"",
        advice: nearest.map { "Did you mean \($0)?" }
          ?? "A rule has the keys \(Self.keys.joined(separator: ", ")).")
    }
  }

  private mutating func checkWhole(_ entries: [TomlEntry]) {
    guard let first = entries.first else { return }
    if places["match"] == nil, entries.contains(where: { Self.keys.contains($0.key) }) {
      values.report(
        at: first.keyPlace, "the rule does not say which application it is for",
        advice: "Add a line match = \"…\"; autorotate explain tells the name of the application in focus.")
    } else if values.diagnostics.isEmpty,
      !entries.contains(where: { $0.key != "match" && $0.key != "fullscreen" })
    {
      values.report(
        .warning, at: first.keyPlace, "the rule changes nothing",
        advice: "Add supported, preferred or auto-rotate. To switch a rule off, leave its file empty.")
    }
    checkPreferred()
  }

  private mutating func checkPreferred() {
    guard let preferred = rule.preferred, let supported = rule.supported, let place = places["preferred"],
      PanelAspect.both.allSatisfy({ !supported.mask(on: $0).contains(preferred) })
    else { return }
    values.report(
      at: place, "\"\(preferred.word)\" is not among what the rule supports",
      advice: "Prefer one of \(supported.mask(on: .landscape).quotedWords), or add it to supported.")
  }
}

extension PanelAspect {
  static let both = [Self.landscape, .portrait]
}

extension OrientationMask {
  /// As they are written: "left", "right".
  var quotedWords: String { orientations.map { "\"\($0.word)\"" }.joined(separator: ", ") }
}
