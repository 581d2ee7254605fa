// SPDX-License-Identifier: MIT

package import Autorotation

/// The rules of all layers. Adds, changes and removes those of the user for the same titles.
package struct RuleBook {
  private let directories: ConfigurationDirectories
  let configuration: Configuration
  /// The titles of the windows whose rules are changed; `nil` for rules that do not depend on titles.
  private let titles: [String]?

  package init(_ directories: ConfigurationDirectories, titles: [String]? = nil) {
    self.titles = titles
    self.directories = directories
    configuration = Configuration.read(FileSearch(directories).files)
  }

  private var files: [Configuration.RuleFile] { configuration.ruleFiles }

  /// - Parameters:
  ///   - application: one of its names, or a pattern that a rule has.
  ///   - isFirst: whether the rule has precedence over the user's patterns for the application.
  package func adding(
    _ application: String, _ wish: RuleRequest, isFirst: Bool = false
  ) throws(Message) -> RuleChange {
    // Cleaned like the names of windows, so that it matches.
    let application = application.printable()
    let alone = ApplicationRule(source: "", matches: [application], titles: titles)
    let rule = wish.applied(to: alone)
    if let mine = own(application).first(where: { $0.rule?.overlaps(rule) == true }) {
      throw Message(
        .commandFailed, "\(application.quotable) already has a rule of yours: \(mine.path)",
        next: "change it with `autorotate rule edit \(arguments(application))`, or remove it with "
          + "`autorotate rule remove \(arguments(application))`")
    }
    let replaced = (foreign(application) + disabled(application)).first { $0.rule?.overlaps(rule) == true }
    if let replaced, let change = try replacing(replaced, by: rule) { return change }
    return try change(newPath(application, isFirst: isFirst), nil, to: rule)
  }

  /// A rule with the same file name, for all names of the other.
  private func replacing(_ other: Configuration.RuleFile, by rule: ApplicationRule) throws(Message)
    -> RuleChange?
  {
    let path = try place(other.file.file.name)
    let mine = files.first { $0.path == path }
    guard mine == nil || mine?.file.contents == .nothing else { return nil }
    var rule = rule
    rule.matches = other.rule?.matches ?? rule.matches
    return try change(path, mine, to: rule)
  }

  package func editing(_ application: String, _ wish: RuleRequest) throws(Message) -> RuleChange {
    if let mine = try only(own(application), wish.scope, application), let rule = mine.rule {
      return try change(mine.path, mine, to: wish.applied(to: rule))
    }
    guard let other = try only(foreign(application), wish.scope, application), let rule = other.rule else {
      throw ruleForOtherTitles(application, isEdit: true) ?? none(application, isEdit: true)
    }
    return try change(unusedPlace(other.file.file.name), other, to: wish.applied(to: rule))
  }

  /// Removes the user's rule, or the empty file that disables another.
  package func removing(_ application: String, scope: RuleRequest.Scope? = nil) throws(Message) -> RuleChange
  {
    let mine = own(application)
    let meant = mine.filter { scope == nil || self.scope(of: $0) == scope }
    if meant.isEmpty, let other = mine.first { throw ruleForOtherScope(application, other) }
    if let mine = try only(meant, scope, application), var rest = mine.rule {
      rest.matches.removeAll { Self.isSame($0, application) }
      let overrides = files.contains { $0.layer != .user && $0.file.file.name == mine.file.file.name }
      guard !rest.matches.isEmpty, !overrides else {
        return RuleChange(path: mine.path, old: mine.file.file.bytes, new: nil)
      }
      return try change(mine.path, mine, to: rest)
    }
    if let empty = disabled(application).compactMap(emptyFile(for:)).first {
      return RuleChange(path: empty.path, old: empty.file.file.bytes, new: nil)
    }
    if let failure = ruleForOtherTitles(application, isOwn: true) { throw failure }
    guard let other = foreign(application).first else {
      throw ruleForOtherTitles(application) ?? none(application)
    }
    throw Message(
      .commandFailed,
      "\(application.quotable) has no rule of yours; the rule in effect is \(other.path)",
      next: "switch it off with `autorotate rule off \(arguments(application))`")
  }

  /// Disables a rule of the administrator or a program by an empty file of the same name.
  package func switchingOff(_ application: String) throws(Message) -> RuleChange {
    guard let other = foreign(application).first else {
      if let empty = disabled(application).compactMap(emptyFile(for:)).first {
        return RuleChange(path: empty.path, old: [], new: [])
      }
      guard let mine = own(application).first else {
        throw ruleForOtherTitles(application) ?? none(application)
      }
      throw Message(
        .commandFailed, "the rule for \(application.quotable) is your own: \(mine.path)",
        next: "remove it with `autorotate rule remove \(arguments(application))`")
    }
    return RuleChange(path: try unusedPlace(other.file.file.name), old: nil, new: [])
  }

  // MARK: Finding

  /// The user's rules for it.
  private func own(_ application: String) -> [Configuration.RuleFile] {
    files.filter { $0.layer == .user && names($0, application) }
  }

  /// The rules of others for it that are in effect.
  private func foreign(_ application: String) -> [Configuration.RuleFile] {
    files.filter { $0.layer != .user && names($0, application) && $0.state == .inForce }
  }

  /// The rules of others for it that are disabled.
  private func disabled(_ application: String) -> [Configuration.RuleFile] {
    files.filter { names($0, application) && emptyFile(for: $0) != nil }
  }

  /// The empty file that disables a rule.
  private func emptyFile(for file: Configuration.RuleFile) -> Configuration.RuleFile? {
    guard case .switchedOff(let path) = file.state else { return nil }
    return files.first { $0.layer == .user && $0.path == path }
  }

  /// The first name with a rule that `removing` removes.
  package func nameOfOwnRule(among names: [String]) -> String? {
    names.first { !own($0).isEmpty || !disabled($0).isEmpty }
  }

  /// The first name with a rule to edit or to disable.
  package func nameOfRule(among names: [String]) -> String? { names.first(where: hasRule) }

  /// Whether there is a rule to edit.
  func hasRule(_ application: String) -> Bool {
    !own(application).isEmpty || !foreign(application).isEmpty
  }

  /// Whether another rule than the user's own for this name matches: one of another layer, or a pattern.
  func isNamedByOthers(_ application: String) -> Bool {
    let mine = own(application).map(\.path)
    return files.contains { !mine.contains($0.path) && $0.rule?.names(application) == true }
  }

  private func arguments(_ application: String) -> String { RuleText.arguments(application, titles ?? []) }

  /// Whether its rule is for this application and the same titles, in any order.
  private func names(_ file: Configuration.RuleFile, _ application: String) -> Bool {
    isFor(application, file) && Set(file.rule?.titles ?? []) == Set(titles ?? [])
  }

  private func isFor(_ application: String, _ file: Configuration.RuleFile) -> Bool {
    file.rule?.matches.contains { Self.isSame($0, application) } == true
  }

  /// - Parameter application: as typed; in a rule it is cleaned like the names of windows.
  private static func isSame(_ name: String, _ application: String) -> Bool {
    [application, application.printable()].contains { $0.lowercased() == name.lowercased() }
  }

  /// The rule with this scope, or the only one; `nil` if there is none.
  private func only(
    _ files: [Configuration.RuleFile], _ scope: RuleRequest.Scope?, _ application: String
  ) throws(Message) -> Configuration.RuleFile? {
    guard files.count > 1 else { return files.first }
    let meant = files.filter { self.scope(of: $0) == scope }
    guard meant.count != 1 else { return meant.first }
    throw Message(
      .commandMistaken,
      "\(application.quotable) has several rules: \(files.map(\.path).joined(separator: ", "))",
      next: "choose one with --fullscreen or --windowed, or edit the files")
  }

  private func scope(of file: Configuration.RuleFile) -> RuleRequest.Scope? {
    file.rule.map { RuleRequest.Scope($0.fullscreen) }
  }

  private func ruleForOtherScope(_ application: String, _ rule: Configuration.RuleFile) -> Message {
    let rest = arguments(application) + (scope(of: rule)?.option ?? "")
    return Message(
      .commandFailed, "you have no such rule for \(application.quotable), but this one: \(rule.path)",
      next: "remove it with `autorotate rule remove \(rest)`")
  }

  /// The rule for it that has other titles, the user's first, and the command that it is meant by;
  /// `nil` if there is none.
  private func ruleForOtherTitles(
    _ application: String, isOwn: Bool = false, isEdit: Bool = false
  ) -> Message? {
    let others = files.filter {
      isFor(application, $0) && !names($0, application) && $0.state == .inForce
    }
    guard let other = others.first, let rule = other.rule else { return nil }
    let isUsers = other.layer == .user
    if isOwn, !isUsers { return nil }
    let (name, path, titles) = (application.quotable, other.path, rule.titles ?? [])
    let shown = titles.map(\.quotable).joined(separator: ", ")
    let what: Phrase =
      titles.isEmpty
      ? "the rule for \(name) is for windows with any title: \(path)"
      : "the rule for \(name) is only for windows with the title \(shown): \(path)"
    let again: Phrase =
      titles.isEmpty
      ? "repeat the command without --title" : "repeat the command with \(RuleText.options(titles))"
    let arguments = RuleText.arguments(application, titles)
    let end: Phrase =
      isUsers
      ? "remove it with `autorotate rule remove \(arguments)`"
      : "switch it off with `autorotate rule off \(arguments)`"
    return Message(.commandFailed, what, next: isEdit ? again : end)
  }

  /// - Parameter isEdit: whether a new rule has the result that the user wants.
  private func none(_ application: String, isEdit: Bool = false) -> Message {
    if let unread = folder.flatMap({ refusal(of: $0) }) { return unread }
    if let fault = configuration.faults(ofRulesFor: [application]).first {
      return Message(.commandFailed, fault, next: "check it with `autorotate check`, or remove it")
    }
    let name = application.quotable
    guard let similar = configuration.settings.rules.first(where: { $0.names(application) }) else {
      return Message(
        .commandFailed, "there is no rule for \(name)",
        next: isEdit ? "make one with `autorotate rule add \(arguments(application)) landscape`" : nil)
    }
    let patterns = similar.matches.map { "\"\($0.quotable)\"" }.joined(separator: ", ")
    return Message(
      .commandFailed, "the rule that matches \(name) is for \(patterns): \(similar.source)",
      next: "use that name, or make a rule for \(name) alone with `autorotate rule add "
        + "\(arguments(application)) landscape`")
  }

  // MARK: Writing

  private func place(_ name: String) throws(Message) -> String {
    guard let folder else { throw .noSettingsDirectory }
    let path = "\(folder)/\(name)"
    if let unread = refusal(of: path) { throw unread }
    return path
  }

  private var folder: String? { directories.all.first { $0.layer == .user }?.rules }

  /// If the user's rules, or this file, are not read.
  private func refusal(of path: String) -> Message? {
    FileSearch(directories).refusal(of: path).map { Message(.commandFailed, "\($0.description)") }
  }

  /// Only an invalid file of the user can have the name of a rule in effect.
  private func unusedPlace(_ name: String) throws(Message) -> String {
    let path = try place(name)
    guard files.contains(where: { $0.path == path }) else { return path }
    throw Message(
      .commandFailed, "\(path) already exists", next: "check it with `autorotate check`, or remove it")
  }

  /// An unused file name, since one of the same name would override its rule.
  /// - Parameter isFirst: as for `adding`.
  private func newPath(_ application: String, isFirst: Bool) throws(Message) -> String {
    let taken = Set(files.map(\.file.file.name))
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.-_+")
    let letters = application.lowercased().prefix(60).map { allowed.contains($0) ? $0 : "-" }
    let word = String(letters.drop { $0 == "." || $0 == "-" })
    let base = word.isEmpty ? "application" : word
    let names = ["\(base).toml"] + (2...taken.count + 2).map { "\(base)-\($0).toml" }
    let free = names.first { !taken.contains($0) } ?? names[0]
    guard isFirst, !taken.contains("00-\(free)") else { return try place(free) }
    let others = files.filter { $0.layer == .user && $0.rule?.names(application) == true }
    return try place(others.allSatisfy { free < $0.file.file.name } ? free : "00-\(free)")
  }

  /// - Parameter base: the file whose text is changed, at this or another path; `nil` for a new text.
  private func change(
    _ path: String, _ base: Configuration.RuleFile?, to wanted: ApplicationRule
  ) throws(Message) -> RuleChange {
    let bytes = base?.file.file.bytes
    let old = base?.rule ?? ApplicationRule(source: "", matches: [])
    let file = RuleText.changed(bytes ?? [], from: old, to: wanted).map {
      ParsedFile(ConfigurationFile(path: path, kind: .rule, layer: .user, content: .bytes($0)))
    }
    if let mistake = file?.errors.first { throw Message(mistaken: mistake, in: path) }
    var rule = file?.rule
    rule?.source = wanted.source
    rule?.layer = wanted.layer
    guard let file, rule == wanted else {
      throw Message(
        .commandFailed, "\(path) is laid out in a way that is better edited by hand",
        next: "edit it, and check it with `autorotate check`")
    }
    let new = file.file.bytes
    if let error = directories.newErrors(path: path, kind: .rule, bytes: new).first {
      throw Message(mistaken: error, in: path)
    }
    return RuleChange(path: path, old: base?.path == path ? bytes : nil, new: new)
  }
}
