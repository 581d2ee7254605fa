// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Language

struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule", abstract: localized("Show and change the rules for apps."),
    discussion: localized(
      """
      Rules are files, one per app, in the folder apps next to config.toml. Changes apply at once. Your comments and \
      the order of your lines stay. A rule that `autorotate check` would reject is not written. Without a name, the \
      focused app is used.
      """),
    subcommands: [RuleAdd.self, RuleEdit.self, RuleList.self, RuleOff.self, RuleRemove.self])
}

struct RuleAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: localized("Add a rule for an app."),
    usage:
      """
      autorotate rule add [<app>] <mask> [--title <glob>]... [--fullscreen|--windowed|--always]
                            [--playing] [--preferred <orientation>]
      """,
    discussion: localized(
      """
      Your rule replaces a system-wide or shipped rule for the app, under all its names. The mask is \
      landscape, portrait, normal, left, inverted, right, several with commas, all for every orientation, or keep: \
      the screen keeps its orientation while the app is focused.
      """))

  @OptionGroup
  var wanted: RuleArguments

  func validate() throws {
    guard wanted.wish.mask == nil else { return }
    throw misuse(
      "Give the orientations, as in: autorotate rule add \(RuleText.arguments(wanted.words.first ?? "mpv")) landscape"
    )
  }

  mutating func run() throws {
    let name = try wanted.application(asIn: "add mpv landscape")
    let report = RuleReport(application: name, titles: wanted.titles.title)
    try report.perform(report.book.adding(name, wanted.wish))
    if wanted.isNamed { MainActor.assumeIsolated { OpenApplications.warn(ifMissing: name, report.status) } }
    if !wanted.isNamed, Console.isTerminal { printFocusedApplication(name) }
  }

  /// When the command is typed, the focused app is usually the terminal.
  private func printFocusedApplication(_ name: String) {
    let (shown, mask) = (name.printable(), wanted.words.last ?? "landscape")
    let argument = RuleText.arguments(name, wanted.titles.title)
    Console.print(
      localized(
        "\(shown) was the last focused app on the panel. To undo: autorotate rule remove \(argument)\n"
          + "For another app (`autorotate windows` lists them): autorotate rule add NAME \(mask)"))
  }
}

struct RuleEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: localized("Change a rule."),
    usage:
      """
      autorotate rule edit [<app>] [<mask>] [--title <glob>]... [--fullscreen|--windowed|--always]
                             [--playing] [--preferred <orientation>]
      """,
    discussion: localized("A rule that is not yours is copied; your copy applies instead."))

  @OptionGroup
  var wanted: RuleArguments

  func validate() throws {
    guard wanted.wish.isEmpty else { return }
    throw misuse(
      "Give what to change: orientations, --fullscreen, --windowed, --always, --playing or --preferred.")
  }

  mutating func run() throws {
    let name = try wanted.application(asIn: "edit mpv landscape")
    let report = RuleReport(application: name, titles: wanted.titles.title).named(RuleBook.nameOfRule)
    try report.perform(report.book.editing(report.application, wanted.wish))
    _ = MainActor.assumeIsolated { OpenApplications.reportUnknownFocus(report.status) }
  }
}

struct RuleRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: localized("Remove your rule, or enable one again."))

  @Argument(help: .localized("The app's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @Flag(exclusivity: .exclusive)
  var scope: RuleRequest.Scope?

  @OptionGroup
  var titles: RuleTitles

  mutating func run() throws {
    let name = try application ?? focusedApplication(asIn: "remove mpv")
    let report = RuleReport(application: name, titles: titles.title).named(RuleBook.nameOfOwnRule)
    try report.perform(report.book.removing(report.application, scope: scope))
  }
}

struct RuleOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: localized("Disable a system-wide or shipped rule."),
    discussion: localized("`autorotate rule remove` enables it again."))

  @Argument(help: .localized("The app's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @OptionGroup
  var titles: RuleTitles

  mutating func run() throws {
    let name = try application ?? focusedApplication(asIn: "off mpv")
    let report = RuleReport(application: name, titles: titles.title).named(RuleBook.nameOfRule)
    try report.perform(report.book.switchingOff(report.application))
  }
}

struct RuleArguments: ParsableArguments {
  @Argument(
    help: .localized("The app's name and its orientations.", valueName: "words"),
    completion: .list(RuleRequest.Mask.words))
  var words: [String] = []

  @Flag(exclusivity: .exclusive)
  var scope: RuleRequest.Scope?

  @OptionGroup
  var titles: RuleTitles

  @Flag(help: .localized("The rule applies only while the app plays audio or video."))
  var playing = false

  @Option(
    help: .localized(
      "The orientation to use when the device orientation is not allowed.", valueName: "orientation"))
  var preferred: InterfaceOrientation?

  private var mask: RuleRequest.Mask? { words.last.flatMap(RuleRequest.Mask.init) }

  var wish: RuleRequest {
    RuleRequest(mask: mask, scope: scope, playing: playing ? true : nil, preferred: preferred)
  }

  func validate() throws {
    guard scope != .always || !playing else { throw misuse("--always cannot be combined with --playing.") }
    guard words.count <= 2 else {
      throw misuse("Give a name and orientations, several with commas between: landscape or left,right")
    }
    guard words.count == 2, mask == nil else { return }
    guard RuleRequest.Mask(words: words[0]) == nil else {
      throw misuse("The app's name comes first: \(words[1].printable()) \(words[0])")
    }
    throw misuse(
      "\"\(words[1].printable())\" is not an orientation. \(RuleRequest.Mask.advice(for: words[1]))")
  }

  var isNamed: Bool { words.count == 2 || words.count == 1 && mask == nil }

  /// - Parameter example: of the same command with a name.
  func application(asIn example: String) throws -> String {
    isNamed ? words[0] : try focusedApplication(asIn: example)
  }
}

struct RuleTitles: ParsableArguments {
  @Option(
    help: .localized(
      "The rule for windows with this title; * and ? stand for any text and any character. Several are possible.",
      valueName: "glob"))
  var title: [String] = []
}

extension RuleRequest.Scope: EnumerableFlag {
  static func help(for value: Self) -> ArgumentHelp? {
    switch value {
    case .fullscreen: .localized("The rule applies only while the app is fullscreen.")
    case .windowed: .localized("The rule applies only while the app is not fullscreen.")
    case .always: .localized("The rule applies whether fullscreen and playing or not.")
    }
  }
}

/// The focused application, as the daemon reports it.
/// - Parameter example: of the command, behind `autorotate rule`, with a name.
private func focusedApplication(asIn example: String) throws -> String {
  try MainActor.assumeIsolated {
    let client = try ControlClient()
    let status = try client.status()
    guard status.application.isEmpty else { return status.application }
    let advice: Phrase = "Name the app, as in `autorotate rule \(example)`"
    if OpenApplications.reportUnknownFocus(status) { throw Message(.commandFailed, advice) }
    let why = try client.explain("", fullscreen: false).prefix { $0 != "\n" }
    throw Message(.commandFailed, "\(why) \(advice)")
  }
}

/// Changes the rule of an application, and prints its rules afterwards.
struct RuleReport {
  private let directories = ConfigurationDirectories()
  /// Of the daemon; `nil` without one.
  let status = MainActor.assumeIsolated { ControlClient.statusIfAnswered() }
  var application: String
  /// Of the windows that the rule is for; empty for all.
  var titles: [String]

  var book: RuleBook { RuleBook(directories, titles: titles.isEmpty ? nil : titles) }

  /// With the name that has the rule, if the application goes by several.
  /// - Parameter find: finds that name among all of the application's.
  func named(_ find: (RuleBook) -> ([String]) -> String?) -> Self {
    let typed = application
    let names = MainActor.assumeIsolated { OpenApplications.names(of: typed) }
    var report = self
    report.application = find(book)(names) ?? typed
    return report
  }

  func perform(_ change: RuleChange) throws(Message) {
    if !change.isNothing { try change.perform() }
    ([result(of: change)] + lines(after: change)).forEach(Console.print)
    guard !titles.isEmpty, !change.isRemoval, !change.isSwitch else { return }
    MainActor.assumeIsolated { OpenApplications.warnIfTitlesAreUnknown() }
  }

  private func result(of change: RuleChange) -> String {
    let path = change.path.printable(limit: 1000)
    if change.isRemoval { return localized("Removed \(path).") }
    let undo = "autorotate rule remove \(RuleText.arguments(application, titles))"
    if change.isNothing, change.isSwitch {
      return localized("The rule is already disabled, by \(path). To undo: \(undo)")
    }
    if change.isNothing { return localized("\(path) already has this rule.") }
    if change.isSwitch {
      return localized("Wrote \(path), an empty file: it disables the rule. To undo: \(undo)")
    }
    return localized("Wrote \(path).")
  }

  private func lines(after change: RuleChange) -> [String] {
    let name = application.printable()
    let configuration = Configuration.read(from: directories, on: status?.panelAspect)
    let rules = configuration.settings.rules.candidates(for: application)
    let broken = configuration.ruleFiles.filter { $0.state == .broken && $0.isForAny(of: [application]) }
    let faults = broken.map(\.line) + configuration.faults(of: change.path).map(\.description)
    guard !rules.isEmpty else { return [localized("No rule applies to \(name) now.")] + faults }
    return [localized("Rules for \(name):")] + rules.map { "  \($0.line)" } + faults
  }
}

extension Configuration {
  /// The errors and warnings of a file.
  func faults(of path: String) -> [Diagnostic] {
    diagnostics.filter { $0.path == path && $0.severity != .note }
  }
}

extension ApplicationRule {
  /// The rule, its file and its origin.
  var line: String { "\(summary)  (\(source), \(localized(layer.words)))" }
}
