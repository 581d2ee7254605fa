// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language

/// Makes, changes and takes back the rules of applications.
struct RuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule",
    abstract: localized("Show and change the rules for apps."),
    discussion: localized(
      """
      Writes the same files as you would: one for each application in the folder apps beside config.toml, where it \
      applies at once. Your comments and the order of your lines stay. What `autorotate check` would refuse is not \
      written. Without a name it is the application in front.
      """),
    subcommands: [RuleAdd.self, RuleEdit.self, RuleList.self, RuleOff.self, RuleRemove.self])
}

struct RuleAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: localized("Add a rule for an app."),
    usage:
      "autorotate rule add [<app>] <mask> [--fullscreen|--windowed] [--playing] [--preferred <orientation>]",
    discussion: localized(
      """
      A rule that the administrator or a program has for it no longer counts then, for all its names. The mask is \
      landscape, portrait, normal, left, inverted, right, several with commas, all for every orientation, or keep: \
      the picture stays as it is while the application is in front.
      """))

  @OptionGroup
  var wanted: RuleArguments

  func validate() throws {
    guard wanted.wish.mask == nil else { return }
    throw misuse(
      "Say which orientations, as in: autorotate rule add \(wanted.words.first ?? "mpv") landscape")
  }

  mutating func run() throws {
    let wish = wanted.wish
    let name = try wanted.application(asIn: "add mpv landscape")
    try RuleReport(of: name).perform { book throws(Message) in try book.adding(name, wish) }
    if wanted.isNamed { MainActor.assumeIsolated { MissingApplication.report(name) } }
    if !wanted.isNamed, isatty(STDOUT_FILENO) == 1 { sayWhichItWas(name) }
  }

  /// Who types it has the terminal in front.
  private func sayWhichItWas(_ name: String) {
    let (shown, mask) = (name.printable(), wanted.words.last ?? "landscape")
    Console.say(
      localized(
        "\(shown) was in front. To take this back: autorotate rule remove \(shown)\nFor another, which "
          + "`autorotate windows` tells: autorotate rule add NAME \(mask)"))
  }
}

struct RuleEdit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: localized("Change a rule."),
    usage:
      """
      autorotate rule edit [<app>] [<mask>] [--fullscreen|--windowed|--always] [--playing]
                             [--preferred <orientation>]
      """,
    discussion: localized("Of a rule that is not yours, a copy becomes yours, and counts in its place."))

  @OptionGroup
  var wanted: RuleArguments

  @Flag(help: .said("The rule applies whether fullscreen and playing or not."))
  var always = false

  func validate() throws {
    guard !always || wanted.scope == nil && !wanted.playing else {
      throw misuse("Give --always alone, or of the others what you want.")
    }
    guard wish.isEmpty else { return }
    throw misuse(
      "Say what to change: orientations, --fullscreen, --windowed, --always, --playing or --preferred.")
  }

  mutating func run() throws {
    let (name, wish) = (try wanted.application(asIn: "edit mpv landscape"), wish)
    try RuleReport(of: name).perform { book throws(Message) in try book.editing(name, wish) }
  }

  private var wish: RuleWish {
    var wish = wanted.wish
    if always { wish.scope = .always }
    return wish
  }
}

struct RuleRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: localized("Remove your rule, or enable one again."))

  @Argument(help: .said("The application's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  @Flag(exclusivity: .exclusive)
  var scope: RuleScope?

  mutating func run() throws {
    let name = try application ?? FrontApplication.name(asIn: "remove mpv")
    let scope = scope?.scope
    try RuleReport(of: name).perform { book throws(Message) in try book.removing(name, scope: scope) }
  }
}

struct RuleOff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: localized("Disable a rule of a program or the administrator."),
    discussion: localized("`autorotate rule remove` lets it count again."))

  @Argument(help: .said("The application's name.", valueName: "app"), completion: .applicationsAndRules)
  var application: String?

  mutating func run() throws {
    let name = try application ?? FrontApplication.name(asIn: "off mpv")
    try RuleReport(of: name).perform { book throws(Message) in try book.switchingOff(name) }
  }
}

/// Which application, and what it may show.
struct RuleArguments: ParsableArguments {
  @Argument(
    help: .said("The application's name, and which orientations it shows.", valueName: "words"),
    completion: .list(RuleWish.Mask.words))
  var words: [String] = []

  @Flag(exclusivity: .exclusive)
  var scope: RuleScope?

  @Flag(help: .said("The rule applies only while the application plays."))
  var playing = false

  @Option(help: .said("Which of them is shown while the device is held otherwise.", valueName: "orientation"))
  var preferred: InterfaceOrientation?

  private var mask: RuleWish.Mask? { words.last.flatMap(RuleWish.Mask.init) }

  var wish: RuleWish {
    RuleWish(mask: mask, scope: scope?.scope, playing: playing ? true : nil, preferred: preferred)
  }

  func validate() throws {
    guard words.count <= 2 else {
      throw misuse("Give a name and orientations, several with commas between: landscape or left,right")
    }
    guard words.count == 2, mask == nil else { return }
    guard RuleWish.Mask(words: words[0]) == nil else {
      throw misuse("The application's name comes first: \(words[1].printable()) \(words[0])")
    }
    throw misuse("\"\(words[1].printable())\" are no orientations. \(RuleWish.Mask.advice(for: words[1]))")
  }

  var isNamed: Bool { words.count == 2 || words.count == 1 && mask == nil }

  /// - Parameter example: of the same command with a name.
  func application(asIn example: String) throws -> String {
    isNamed ? words[0] : try FrontApplication.name(asIn: example)
  }
}

enum RuleScope: String, EnumerableFlag {
  case fullscreen, windowed

  var scope: RuleWish.Scope { self == .fullscreen ? .fullscreen : .windowed }

  static func help(for value: Self) -> ArgumentHelp? {
    value == .fullscreen
      ? .said("The rule applies only while the application is fullscreen.")
      : .said("The rule applies only while the application is not fullscreen.")
  }
}

/// The application that has focus, as the daemon knows it.
enum FrontApplication {
  /// - Parameter example: of the command, behind `autorotate rule`, with a name.
  static func name(asIn example: String) throws -> String {
    let name = try MainActor.assumeIsolated { try ControlClient().status().application }
    guard name.isEmpty else { return name }
    throw Message(
      .commandFailed, "no application is in front, or the desktop does not tell which",
      next: "name it, as in `autorotate rule \(example)`")
  }
}
