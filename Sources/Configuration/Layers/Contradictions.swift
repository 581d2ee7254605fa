// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Contradictions between files that are valid on their own. No file is rejected for them: the desktop's settings
/// override a rule, and the first of two rules overrides the second.
extension ConfigurationMerge {
  var contradictions: [Diagnostic] {
    laptopOrientationContradiction + rules.flatMap { maskContradictions($0.written, $0.file) }
      + sameApplicationTwice + coveredRules
  }

  // MARK: Allowed orientations

  /// The desktop's allowed orientations, where they are set, and whether the user can change them there.
  private var desktop: (allowed: [OrientationName], at: Phrase, isChangeable: Bool) {
    let written = assignments[\.settings.supported]
    let place: Phrase = written.map { "at \($0.file.file.path):\($0.assignment.place.line)" } ?? "by default"
    return (merged.settings.supported, place, written.map { $0.file.file.layer == .user } ?? true)
  }

  private var laptopOrientationContradiction: [Diagnostic] {
    guard let (assignment, file) = assignments[\.settings.laptopOrientation] else { return [] }
    let desktop = desktop
    let wanted = merged.settings.laptopOrientation
    guard !desktop.allowed.mayContain(wanted) else { return [] }
    let isFixable = desktop.isChangeable && file.file.layer == .user
    return [
      file.file.diagnostic(
        isFixable ? .error : .warning, at: assignment.place,
        "\"\(wanted.word)\" is not an allowed orientation of the desktop (\(desktop.at))",
        advice: "Write one of \(desktop.allowed.mask(on: .landscape).quotedWords), or add it to supported.")
    ]
  }

  private func maskContradictions(_ written: WrittenRule, _ file: ParsedFile) -> [Diagnostic] {
    guard let supported = written.rule.supported, let place = written.supportedPlace else { return [] }
    let desktop = desktop
    let leavesNothing = { (aspect: PanelAspect) in
      supported.mask(on: aspect).isDisjoint(with: desktop.allowed.mask(on: aspect))
    }
    let isOnEveryPanel = PanelAspect.allCases.allSatisfy(leavesNothing)
    guard isOnEveryPanel || aspect.map(leavesNothing) == true else {
      return preferredContradiction(written, file)
    }
    let panel: Phrase = isOnEveryPanel ? "" : " on this panel"
    let severity = severity(of: file, isCertain: isOnEveryPanel && desktop.isChangeable)
    return [
      file.file.diagnostic(
        severity, at: place,
        "allows no orientation that the desktop allows\(panel) (\(desktop.at)), so it does not apply",
        advice: "Add one of \(desktop.allowed.mask(on: aspect ?? .landscape).quotedWords), or extend "
          + "supported in [desktop].")
    ]
  }

  /// Checked for this panel only: a contradiction on every panel is an error in the rule itself.
  private func preferredContradiction(_ written: WrittenRule, _ file: ParsedFile) -> [Diagnostic] {
    guard let aspect, let preferred = written.rule.preferred, let place = written.preferredPlace,
      let mask = written.rule.supported?.mask(on: aspect), !mask.contains(preferred),
      written.rule.supported?.mayContain(preferred) == true
    else { return [] }
    return [
      file.file.diagnostic(
        severity(of: file, isCertain: false), at: place,
        "\"\(preferred.word)\" is not an allowed orientation of the rule on this panel",
        advice: "On this panel, prefer one of \(mask.quotedWords).")
    ]
  }

  /// The user can fix only the user's own files.
  private func severity(of file: ParsedFile, isCertain: Bool) -> Diagnostic.Severity {
    guard file.file.layer == .user else { return .note }
    return isCertain ? .error : .warning
  }

  // MARK: Two rules for one application

  private var sameApplicationTwice: [Diagnostic] {
    var seen: [String: [ParsedFile]] = [:]
    var diagnostics: [Diagnostic] = []
    for (written, file) in rules {
      for (pattern, place) in zip(written.rule.matches, written.matchPlaces) {
        let key = pattern.lowercased()
        if let other = seen[key]?.first(where: { $0.rule?.overlaps(written.rule) == true }),
          let rule = other.rule
        {
          diagnostics.append(collision(of: pattern, at: place, in: file, with: (rule, other)))
        }
        seen[key, default: []].append(file)
      }
    }
    return diagnostics
  }

  private func collision(
    of pattern: String, at place: SourcePlace, in file: ParsedFile,
    with other: (rule: ApplicationRule, file: ParsedFile)
  ) -> Diagnostic {
    let name = "\"\(pattern.quotable)\""
    if file.file.path == other.file.file.path {
      return file.file.diagnostic(.warning, at: place, "\(name) is listed twice", advice: "Remove one.")
    }
    let paths = [file.file.path, other.file.file.path]
    // A directory with higher precedence overrides on purpose.
    guard Set(paths.map { SystemFile.split($0).directory }).count == 1 else {
      return file.file.diagnostic(.note, at: place, "for \(name), \(other.rule.source) overrides this rule")
    }
    return file.file.diagnostic(
      file.file.layer == .user ? .error : .warning, at: place,
      "\(name) is also matched by \(other.rule.source), which has precedence",
      advice: "Put both into one file, or let one say fullscreen = true and the other fullscreen = false.")
  }

  /// Rules that never apply, since patterns of an earlier rule in the same directory match all their names.
  private var coveredRules: [Diagnostic] {
    let directory = { (file: ParsedFile) in SystemFile.split(file.file.path).directory }
    let broad = rules.enumerated().filter { $0.element.written.rule.isBroad }
    return rules.enumerated().compactMap { index, entry in
      let first = broad.first { other in
        other.offset < index && directory(other.element.file) == directory(entry.file)
          && other.element.written.rule.covers(entry.written.rule)
      }
      guard let source = first?.element.written.rule.source else { return nil }
      return entry.file.file.diagnostic(
        severity(of: entry.file, isCertain: false), at: entry.written.matchPlaces.first,
        "this rule never applies: \(source) matches the same apps, and its file name comes first",
        advice: "Rename this file, so that its name comes first.")
    }
  }
}

extension ApplicationRule {
  fileprivate var isBroad: Bool { !isConditional && matches.contains { $0.contains { "*?".contains($0) } } }

  /// Whether it certainly matches all names of a rule that has no higher precedence.
  fileprivate func covers(_ other: Self) -> Bool {
    // As a name, a pattern's asterisk would be one character.
    let comparable = matches.filter { !$0.contains("?") }
    return other.titles == nil && other.matches.allSatisfy(Self(source: source, matches: comparable).names)
  }

  /// Whether both may apply to one window at once and neither is more specific, if both match its application.
  func overlaps(_ other: Self) -> Bool {
    let mayShare = { (one: Bool?, another: Bool?) in one == nil || another == nil || one == another }
    let sharesTitle = titles == other.titles || !Set(titles ?? []).isDisjoint(with: other.titles ?? [])
    return sharesTitle && mayShare(fullscreen, other.fullscreen) && mayShare(playing, other.playing)
      && Posture.allCases.contains { applies(in: $0) && other.applies(in: $0) }
  }
}
