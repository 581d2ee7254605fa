// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Temporary
import Testing

@testable import Configuration

/// Adding, changing and removing the user's rules.
struct RuleBookTests {
  private let directory: TemporaryDirectory
  private let directories: ConfigurationDirectories

  init() throws {
    directory = try TemporaryDirectory()
    directories = ConfigurationDirectories(
      user: directory["user"], administrator: [], shipped: [directory["shipped"]])
    try directory.write(
      "# mpv, as shipped\nmatch = [\"mpv\", \"io.mpv.Mpv\"]\nfullscreen = true\nsupported = [\"landscape\"]\n",
      to: "shipped/apps/mpv.toml")
    try directory.write("match = \"steam_app_*\"\nsupported = \"landscape\"\n", to: "shipped/apps/steam.toml")
  }

  private var book: RuleBook { RuleBook(directories) }
  private let portrait = RuleRequest(mask: .orientations([.portrait]))

  private func text(_ name: String) throws -> String { try directory.text("user/apps/\(name)") }

  private func counting(
    _ application: String, title: String? = nil, fullscreen: Bool = false
  ) -> ApplicationRule? {
    let window = Window(id: 1, identifiers: [application], title: title, isFullscreen: fullscreen)
    return Configuration.read(from: directories).settings.rules.rule(for: window)
  }

  @Test func `a new rule is a separate file`() throws {
    try book.adding(
      "Foo Bar/..", RuleRequest(mask: .orientations([.left]), scope: .windowed, preferred: .left)
    )
    .perform()
    let text = "match = \"Foo Bar/..\"\nfullscreen = false\nsupported = [\"left\"]\npreferred = \"left\"\n"
    #expect(try self.text("foo-bar-...toml") == text)
    #expect(counting("foo bar/..")?.supported == [.left])
  }

  @Test(arguments: ["a\nb", "\u{1B}]0;title\u{7}", "\u{202E}abc", String(repeating: "é", count: 5000)])
  func `a rule is changed and removed by its name`(name: String) throws {
    try book.adding(name, portrait).perform()
    try book.editing(name, RuleRequest(mask: .orientations([.landscape]))).perform()
    #expect(counting(name.printable())?.supported == [.landscape])
    #expect(try book.removing(name).isRemoval)
  }

  @Test func `a rule for playing keeps the condition`() throws {
    let film = RuleRequest(mask: .orientations([.landscape]), scope: .fullscreen, playing: true)
    try book.adding("foo", film).perform()
    #expect(try text("foo.toml").contains("fullscreen = true\nplaying = true\n"))
    try book.editing("foo", RuleRequest(scope: .always)).perform()
    #expect(try text("foo.toml") == "match = \"foo\"\nsupported = [\"landscape\"]\n")
  }

  @Test func `a rule for a title is beside the one for all titles`() throws {
    let titled = { RuleBook(directories, titles: ["*live*", "Cam?"]) }
    try titled().adding("mpv", portrait).perform()
    let added = "match = \"mpv\"\ntitle = [\"*live*\", \"Cam?\"]\nsupported = [\"portrait\"]\n"
    #expect(try text("mpv-2.toml") == added)
    #expect(throws: Message.self) { try titled().adding("mpv", portrait) }
    try book.editing("mpv", RuleRequest(mask: .orientations([.left]))).perform()
    try titled().editing("mpv", RuleRequest(mask: .orientations([.landscape]))).perform()
    #expect(counting("mpv", fullscreen: true)?.supported == [.left])
    #expect(counting("mpv", title: "cam1")?.supported == [.landscape])
    #expect(book.choice(for: "mpv") == nil, "not the choice of the rule for the title")
    #expect(book.configuration.diagnostics.isEmpty)
    try titled().removing("mpv").perform()
    #expect(counting("mpv", title: "cam1") == nil)
    #expect(throws: Message.self) { try titled().removing("mpv") }
  }

  @Test func `a rule for a title is removed by its titles in any order`() throws {
    let titles = ["vim *", "*live*"]
    for name in ["foo", "mpv"] {
      try RuleBook(directories, titles: titles).adding(name, portrait).perform()
      let command = "remove it with `autorotate rule remove \(name) --title 'vim *' --title '*live*'`"
      let failure = #expect(throws: Message.self) { try book.removing(name) }
      #expect(failure?.next?.description == command)
      #expect(failure?.description.contains("only for windows with the title vim *, *live*") == true)
    }
    let off = #expect(throws: Message.self) { try book.switchingOff("foo") }
    #expect(off?.next?.description.contains("rule remove foo --title 'vim *'") == true)
    let edit = #expect(throws: Message.self) { try book.editing("foo", portrait) }
    #expect(edit?.next?.description == "repeat the command with --title 'vim *' --title '*live*'")
    try RuleBook(directories, titles: ["*live*", "vim *"]).removing("foo").perform()
    #expect(counting("foo", title: "vim x") == nil)
  }

  @Test func `a rule for any title is removed without one`() throws {
    try book.adding("foo", portrait).perform()
    let titled = RuleBook(directories, titles: ["x"])
    let failure = #expect(throws: Message.self) { try titled.removing("foo") }
    #expect(failure?.next?.description == "remove it with `autorotate rule remove foo`")
    let edit = #expect(throws: Message.self) { try titled.editing("foo", portrait) }
    #expect(edit?.next?.description == "repeat the command without --title")
  }

  @Test func `a shipped rule for a title is disabled and enabled`() throws {
    let rule = "match = \"foo\"\ntitle = \"*live*\"\nsupported = \"landscape\"\n"
    try directory.write(rule, to: "shipped/apps/foo.toml")
    let titled = { RuleBook(directories, titles: ["*live*"]) }
    for book in [book, titled()] {
      let failure = #expect(throws: Message.self) { try book.removing("foo") }
      #expect(failure?.next?.description == "switch it off with `autorotate rule off foo --title '*live*'`")
    }
    try titled().switchingOff("foo").perform()
    #expect(counting("foo", title: "live") == nil)
    let why = Configuration.read(from: directories).disabledRules(for: ["foo"]).first?.why.description
    #expect(why?.hasSuffix("autorotate rule remove foo --title '*live*'") == true)
    try titled().removing("foo").perform()
    #expect(counting("foo", title: "live")?.layer == .shipped)
  }

  @Test func `a copied shipped rule has all its names`() throws {
    try book.adding("mpv", portrait).perform()
    #expect(try text("mpv.toml") == "match = [\"mpv\", \"io.mpv.Mpv\"]\nsupported = [\"portrait\"]\n")
    #expect(counting("io.mpv.Mpv", fullscreen: true)?.supported == [.portrait])
  }

  @Test func `a rule for windows is separate from one for fullscreen`() throws {
    try book.adding("mpv", RuleRequest(mask: .orientations([.portrait]), scope: .windowed)).perform()
    #expect(counting("mpv")?.supported == [.portrait])
    #expect(counting("mpv", fullscreen: true)?.layer == .shipped)
  }

  @Test func `a pattern is not copied for one of its applications`() throws {
    try book.adding("steam_app_1", portrait).perform()
    #expect(counting("steam_app_1")?.supported == [.portrait])
    #expect(counting("steam_app_2")?.layer == .shipped)
    let failure = #expect(throws: Message.self) { try book.switchingOff("steam_app_2") }
    #expect(failure?.description.contains("\"steam_app_*\"") == true)
  }

  @Test func `an own rule is removed instead of disabled`() throws {
    try book.adding("foo", portrait).perform()
    let failure = #expect(throws: Message.self) { try book.switchingOff("foo") }
    #expect(failure?.description.contains("is your own") == true)
    #expect(failure?.next?.description == "remove it with `autorotate rule remove foo`")
  }

  @Test func `a second rule for the same application is refused`() throws {
    try book.adding("foo", portrait).perform()
    let failure = #expect(throws: Message.self) { try book.adding("FOO", RuleRequest(mask: .keeps)) }
    #expect(failure?.description.contains("rule edit") == true)
  }

  @Test func `a new rule gets an unused file name`() throws {
    try directory.write("match = \"other\"\nsupported = \"left\"\n", to: "user/apps/foo.toml")
    try book.adding("foo", portrait).perform()
    #expect(try text("foo-2.toml").contains("\"foo\""))
    #expect(try text("foo.toml").contains("other"))
  }

  @Test func `a file that check would refuse is not written`() throws {
    try directory.write("[desktop]\nsupported = \"landscape\"\n", to: "user/config.toml")
    let failure = #expect(throws: Message.self) { try book.adding("foo", portrait) }
    #expect(failure?.code == .commandMistaken)
    // Without a line of the file, which does not exist.
    #expect(failure?.description.hasPrefix("allows no orientation") == true)
    #expect(throws: Message.self) {
      try book.adding("foo", RuleRequest(mask: .orientations([.left]), preferred: .right))
    }
    #expect(throws: Message.self) { try book.adding("  ", portrait) }
  }

  @Test func `a rule that would not be read is not written`() throws {
    try book.adding("foo", portrait).perform()
    let folder = directory["user/apps"]
    #expect(chmod(folder, 0o777) == 0)
    let changes: [() throws -> RuleChange] = [
      { try book.adding("bar", portrait) }, { try book.removing("foo") },
    ]
    for change in changes {
      let failure = #expect(throws: Message.self) { try change() }
      #expect(failure?.description.contains("To use it, restrict it with: chmod go-w \(folder)") == true)
    }
    #expect(chmod(folder, 0o755) == 0)
    try book.adding("bar", portrait).perform()
    #expect(chmod(directory["user/apps/bar.toml"], 0o666) == 0)
    #expect(throws: Message.self) { try book.adding("bar", portrait) }
  }

  /// Of two files for one application, the error is in the later one by name.
  @Test(arguments: ["a", "z"]) func `a preview finds the errors of a later check`(name: String) throws {
    let rule = "match = \"foo\"\nsupported = \"left\"\n"
    try directory.write(rule, to: "user/apps/foo.toml")
    let path = directory["user/apps/\(name).toml"]
    let foretold = directories.newErrors(path: path, kind: .rule, bytes: Array(rule.utf8))
    try directory.write(rule, to: "user/apps/\(name).toml")
    let found = Configuration.read(from: directories).diagnostics.filter { $0.severity == .error }
    #expect(!found.isEmpty && foretold == found)
  }

  /// After the shipped one, which it overrides, it would not be read at all.
  @Test func `a preview overrides the shipped rule of its name`() throws {
    try directory.write("[desktop]\nsupported = \"right\"\n", to: "user/config.toml")
    let rule = "match = \"mpv\"\nsupported = \"left\"\n"
    let path = directory["user/apps/mpv.toml"]
    let found = directories.newErrors(path: path, kind: .rule, bytes: Array(rule.utf8))
    #expect(found.map(\.path) == [path])
  }

  @Test func `a rule keeps its preferred orientation when its scope changes`() throws {
    try directory.write("match = \"foo\"\npreferred = \"left\"\n", to: "user/apps/foo.toml")
    try book.editing("foo", RuleRequest(scope: .fullscreen)).perform()
    #expect(counting("foo", fullscreen: true)?.preferred == .left)
  }

  @Test func `a change leaves comments and order`() throws {
    try directory.write(
      "# mine\nsupported = [ # wide\n  \"landscape\",\n]\npreferred = \"normal\" # up\nmatch = \"foo\"\n",
      to: "user/apps/x.toml")
    try book.editing("foo", RuleRequest(mask: .orientations([.left]), scope: .fullscreen)).perform()
    #expect(
      try text("x.toml")
        == "# mine\n# wide\nsupported = [\"left\"]\npreferred = \"normal\" # up\nmatch = \"foo\"\nfullscreen = true\n"
        .replacing("preferred = \"normal\" # up", with: "# up"))
  }

  @Test func `keep removes the orientations`() throws {
    try directory.write("match = \"foo\"\nsupported = \"left\"\n", to: "user/apps/foo.toml")
    try book.editing("foo", RuleRequest(mask: .keeps)).perform()
    #expect(try text("foo.toml") == "match = \"foo\"\nauto-rotate = false\n")
    try book.editing("foo", portrait).perform()
    #expect(try text("foo.toml") == "match = \"foo\"\nsupported = [\"portrait\"]\n")
  }

  @Test func `a shipped rule is copied for editing`() throws {
    try book.editing("mpv", RuleRequest(scope: .always)).perform()
    #expect(try text("mpv.toml").hasPrefix("# mpv, as shipped\nmatch"))
    #expect(counting("mpv")?.layer == .user)
    #expect(counting("mpv")?.supported == [.landscape])
  }

  @Test func `removing a rule restores the shipped one`() throws {
    try book.adding("mpv", portrait).perform()
    try book.removing("io.mpv.Mpv").perform()
    #expect(counting("mpv", fullscreen: true)?.layer == .shipped)
    let failure = #expect(throws: Message.self) { try book.removing("mpv") }
    #expect(failure?.description.contains("rule off") == true)
  }

  @Test func `only a change that removes a file is a removal`() throws {
    let addition = try book.adding("mpv", portrait)
    #expect(!addition.isRemoval)
    try addition.perform()
    #expect(try book.removing("io.mpv.Mpv").isRemoval)
  }

  @Test func `a shipped rule may be disabled and enabled again`() throws {
    try book.switchingOff("mpv").perform()
    #expect(try text("mpv.toml") == "")
    #expect(counting("mpv", fullscreen: true) == nil)
    let again = try book.switchingOff("mpv")
    #expect(again.isNothing && again.isSwitch)
    let explained = Configuration.read(from: directories).disabledRules(for: ["player", "MPV"])
    #expect(explained.map(\.rule.layer) == [.shipped])
    let why = explained.first?.why.description ?? ""
    #expect(
      why.hasPrefix("disabled by ") && why.hasSuffix("apps/mpv.toml; to undo: autorotate rule remove MPV"))
    try book.removing("mpv").perform()
    #expect(counting("mpv", fullscreen: true)?.layer == .shipped)
  }

  @Test func `who disables a rule is not advised to add one`() throws {
    let none = #expect(throws: Message.self) { try book.switchingOff("foo") }
    #expect(none?.description == "there is no rule for foo")
    try directory.write("match = \"foo\nsupported\n", to: "user/apps/foo.toml")
    let broken = #expect(throws: Message.self) { try book.switchingOff("foo") }
    #expect(broken?.description.contains("user/apps/foo.toml:") == true)
    #expect(broken?.description.hasSuffix("check it with `autorotate check`, or remove it") == true)
  }

  @Test func `a disabled rule may be replaced below its comments`() throws {
    try directory.write("# off for now\n", to: "user/apps/mpv.toml")
    try book.adding("mpv", portrait).perform()
    #expect(
      try text("mpv.toml") == "# off for now\nmatch = [\"mpv\", \"io.mpv.Mpv\"]\nsupported = [\"portrait\"]\n"
    )
  }

  @Test func `one of several names is removed`() throws {
    try directory.write(
      "match = [\"foo\", # first\n  \"bar\"]\nsupported = \"left\"\n", to: "user/apps/x.toml")
    try book.removing("foo").perform()
    #expect(try text("x.toml") == "# first\nmatch = \"bar\"\nsupported = \"left\"\n")
  }

  @Test func `a rule is found by any name of its app`() throws {
    #expect(book.nameOfOwnRule(among: ["io.mpv.Mpv", "mpv"]) == nil)
    #expect(book.nameOfRule(among: ["window", "mpv"]) == "mpv")
    try book.adding("krita", portrait).perform()
    #expect(book.nameOfOwnRule(among: ["Krita-window", "krita"]) == "krita")
    try book.switchingOff("mpv").perform()
    #expect(book.nameOfOwnRule(among: ["window", "mpv"]) == "mpv")
    #expect(book.nameOfOwnRule(among: ["krita", "mpv"]) == "krita")
    #expect(book.nameOfOwnRule(among: ["mpv", "krita"]) == "mpv")
  }

  @Test func `of two rules the scope selects one`() throws {
    try book.adding("foo", RuleRequest(mask: .orientations([.left]), scope: .fullscreen)).perform()
    try book.adding("foo", RuleRequest(mask: .orientations([.right]), scope: .windowed)).perform()
    let failure = #expect(throws: Message.self) { try book.removing("foo") }
    #expect(failure?.description.contains("--windowed") == true)
    try book.removing("foo", scope: .windowed).perform()
    let refusal = #expect(throws: Message.self) { try book.removing("foo", scope: .windowed) }
    #expect(refusal?.description.contains("`autorotate rule remove foo --fullscreen`") == true)
    #expect(counting("foo") == nil)
    #expect(counting("foo", fullscreen: true)?.supported == [.left])
  }

  @Test func `of two rules the scope selects the one to edit`() throws {
    try book.adding("foo", RuleRequest(mask: .orientations([.left]), scope: .fullscreen)).perform()
    try book.adding("foo", RuleRequest(mask: .orientations([.right]), scope: .windowed)).perform()
    #expect(throws: Message.self) { try book.editing("foo", portrait) }
    let windowed = RuleRequest(mask: .orientations([.portrait]), scope: .windowed)
    try book.editing("foo", windowed).perform()
    #expect(counting("foo")?.supported == [.portrait])
    #expect(counting("foo", fullscreen: true)?.supported == [.left])
  }

  /// The rule that matches all windows is meant, whatever other rules there are.
  @Test func `a shipped rule for a title is not named instead of the one in effect`() throws {
    let titled = "match = \"foo\"\ntitle = \"*live*\"\nsupported = \"landscape\"\n"
    try directory.write(titled, to: "shipped/apps/foo-live.toml")
    let off = #expect(throws: Message.self) { try book.switchingOff("foo") }
    #expect(off?.next?.description == "switch it off with `autorotate rule off foo --title '*live*'`")
    try directory.write("match = \"foo\"\nsupported = \"left\"\n", to: "shipped/apps/foo.toml")
    let removal = #expect(throws: Message.self) { try book.removing("foo") }
    #expect(removal?.next?.description == "switch it off with `autorotate rule off foo`")
  }

  @Test func `a broken file is not edited`() throws {
    try directory.write("match = \"foo\nsupported\n", to: "user/apps/foo.toml")
    try book.adding("foo", portrait).perform()
    #expect(try text("foo.toml") == "match = \"foo\nsupported\n")
    #expect(counting("foo")?.supported == [.portrait])
  }

  @Test func `a change by an editor is not overwritten`() throws {
    try directory.write("match = \"foo\"\nsupported = \"left\"\n", to: "user/apps/foo.toml")
    let change = try book.editing("foo", portrait)
    let removal = try book.removing("foo")
    try directory.write("# better\nmatch = \"foo\"\n", to: "user/apps/foo.toml")
    for change in [change, removal] {
      let failure = #expect(throws: Message.self) { try change.perform() }
      #expect(failure?.description.contains("changed by another program") == true)
    }
    #expect(try text("foo.toml") == "# better\nmatch = \"foo\"\n")
    let new = try book.adding("bar", portrait)
    try directory.write("# mine\n", to: "user/apps/bar.toml")
    #expect(throws: Message.self) { try new.perform() }
    #expect(try text("bar.toml") == "# mine\n")
  }

  @Test func `without a home there is an error`() {
    let nowhere = RuleBook(ConfigurationDirectories(user: nil, administrator: [], shipped: []))
    let failure = #expect(throws: Message.self) { try nowhere.adding("foo", portrait) }
    #expect(failure?.description.contains("HOME") == true)
  }

  @Test func `hostile names become rules or errors`() throws {
    for name in [
      "..", "/etc/passwd", "a\u{0}b", "\"]\nx=1", "<b>&", "\u{202E}x", String(repeating: "n", count: 5000),
    ] {
      try book.adding(name, portrait).perform()
      #expect(counting(name)?.supported == [.portrait], "\(name)")
    }
    #expect(!Configuration.read(from: directories).hasErrors)
  }

  @Test(arguments: [
    ("firefox-esr", "firefox-esr"), ("org.kde/okular2", "org.kde/okular2"), ("foo bar", "'foo bar'"),
    ("it's", "'it'\\''s'"), ("a;b", "'a;b'"), ("x'\u{301};id", "'x'\\''\u{301};id'"),
    ("\u{D4E};id", "'\u{D4E};id'"),
    ("x\\", "'x'\\\\''"), ("-x", "-- -x"),
  ])
  func `an app in a command is quoted for the shell`(app: String, argument: String) {
    let failure = #expect(throws: Message.self) { try book.editing(app, portrait) }
    #expect(failure?.description.contains("rule add \(argument) landscape") == true)
  }

  @Test func `a name with a dash in front is no option`() {
    #expect(RuleText.arguments("-x", ["-y*"]) == "--title='-y*' -- -x")
    #expect(RuleText.arguments("-x", options: "--fullscreen") == "--fullscreen -- -x")
  }

  @Test func `a path of 1000 characters is named in full`() throws {
    let isNamed = { (length: Int) in
      let path = "/" + String(repeating: "x", count: length - 1)
      let text = "match = \"foo\"\nsupported = \"left\"\n"
      let file = ConfigurationFile(path: path, kind: .rule, layer: .user, text: text)
      let entries = try TomlDocument.parse(file.bytes)
      return RuleReader.read(entries, of: file, isWhole: true).0?.rule.source == "\(path):1"
    }
    #expect(try isNamed(1000) && !isNamed(1001))
  }

  @Test func `of two shipped rules the one in effect is replaced`() throws {
    for name in ["dup", "dup-2"] {
      try directory.write("match = \"dup\"\nsupported = \"left\"\n", to: "shipped/apps/\(name).toml")
    }
    let path = try #require(counting("dup")).source
    let name = try #require(path.split(separator: "/").last?.split(separator: ":").first)
    try book.adding("dup", portrait).perform()
    #expect(try text(String(name)).contains("portrait"))
  }

  @Test func `a setting that leaves a rule no orientation is refused`() throws {
    try directory.write("match = \"foo\"\nsupported = \"landscape\"\n", to: "user/apps/foo.toml")
    let settings = try UserSettings(directories)
    let key = try SettingKey(named: "desktop.supported")
    let failure = #expect(throws: Message.self) { try settings.set(key, to: ["portrait"]) }
    #expect(failure?.code == .commandMistaken)
    #expect(try settings.set(key, to: ["landscape"]))
    #expect(try !settings.set(key, to: ["landscape"]))
  }

  @Test func `a mistyped value is answered with an example`() throws {
    let key = try SettingKey(named: "sensor.rate")
    let failure = #expect(throws: Message.self) { try UserSettings(directories).set(key, to: ["fast"]) }
    #expect(failure?.next?.description == "as in: autorotate config set sensor.rate 20")
  }

  /// Its error names the line of another setting, which moves.
  @Test func `a setting is written beside a rule with an error`() throws {
    try directory.write("[desktop]\nsupported = \"landscape\"\n", to: "user/config.toml")
    try directory.write("match = \"foo\"\nsupported = \"portrait\"\n", to: "user/apps/foo.toml")
    let settings = try UserSettings(directories)
    #expect(try settings.set(SettingKey(named: "rotate-in"), to: ["tablet"]))
    #expect(try settings.set(SettingKey(named: "lock.over-apps"), to: ["true"]))
  }

  // MARK: Choices

  @Test func `the rule in effect is shown as the choice`() throws {
    for (name, word) in [("a", "landscape"), ("b", "portrait")] {
      try directory.write("match = \"foo\"\nsupported = \"\(word)\"\n", to: "user/apps/\(name).toml")
    }
    let isLandscape = counting("foo")?.supported == [.landscape]
    #expect(book.choice(for: "foo") == (isLandscape ? .landscape : .portrait))
  }

  @Test func `a conditional rule is chosen before one for always`() throws {
    let conditional = "match = \"foo\"\nfullscreen = true\nsupported = \"landscape\"\n"
    try directory.write(conditional, to: "user/apps/a.toml")
    try directory.write("match = \"foo\"\nsupported = \"portrait\"\n", to: "user/apps/b.toml")
    #expect(book.choice(for: "foo") == .landscape)
  }

  @Test func `a choice for an application is set and reset`() throws {
    #expect(book.choice(for: "foo") == .rotates)
    for choice in [RuleChoice.landscape, .keeps, .portrait] {
      try #require(try book.choosing("foo", choice)).perform()
      #expect(book.choice(for: "foo") == choice)
      #expect(try book.choosing("foo", choice) == nil)
    }
    #expect(counting("foo")?.supported == [.portrait])
    try #require(try book.choosing("foo", .rotates)).perform()
    #expect(!Configuration.read(from: directories).ruleFiles.contains { $0.layer == .user })
  }

  @Test func `an edited shipped rule keeps its conditions`() throws {
    #expect(book.choice(for: "mpv") == .landscape)
    try #require(try book.choosing("mpv", .portrait)).perform()
    #expect(counting("mpv", fullscreen: true)?.supported == [.portrait] && counting("mpv") == nil)
    try #require(try book.choosing("mpv", .rotates)).perform()
    #expect(book.choice(for: "mpv") == .rotates)
    #expect(counting("mpv", fullscreen: true)?.supported == [.all])
  }

  @Test func `one application of a rule for many may rotate again`() throws {
    #expect(book.choice(for: "steam_app_1") == .landscape)
    try #require(try book.choosing("steam_app_1", .rotates)).perform()
    #expect(book.choice(for: "steam_app_1") == .rotates && book.choice(for: "steam_app_2") == .landscape)
  }

  @Test func `a choice overrides the user's pattern`() throws {
    try book.adding("org.gnome.*", portrait).perform()
    try #require(try book.choosing("org.gnome.Maps", .landscape)).perform()
    #expect(
      book.choice(for: "org.gnome.Maps") == .landscape && book.choice(for: "org.gnome.Clocks") == .portrait)
  }

  @Test func `a disabled rule is replaced by a new one`() throws {
    try book.switchingOff("mpv").perform()
    #expect(book.choice(for: "mpv") == .rotates)
    try #require(try book.choosing("mpv", .keeps)).perform()
    #expect(book.choice(for: "io.mpv.Mpv") == .keeps)
  }

  @Test func `a rule that matches no choice has none`() throws {
    try directory.write("match = \"odd\"\nsupported = [\"left\", \"normal\"]\n", to: "user/apps/odd.toml")
    #expect(book.choice(for: "odd") == nil)
    try #require(try book.choosing("odd", .rotates)).perform()
    #expect(book.choice(for: "odd") == .rotates)
  }
}
