// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// Why an application has its screen orientation, and the screen orientation for each device orientation.
struct ExplanationTests {
  private static let panel = Output(name: "eDP-1", isBuiltIn: true, width: 1280, height: 800)

  private static func machine(
    rules: [ApplicationRule] = [], requests: [[OrientationName]] = [], focus: Window? = nil
  ) -> Autorotator {
    var settings = Settings()
    settings.rules = rules
    settings.supported = [.allButUpsideDown]
    var machine = Autorotator(settings: settings)
    _ = machine.handle(.outputsChanged([panel]), at: Instant(seconds: 0))
    if let focus { _ = machine.handle(.focusChanged(focus), at: Instant(seconds: 0)) }
    for (number, mask) in requests.enumerated() {
      let request = OrientationRequest(id: UInt32(number), mask: mask, application: "maps", why: "")
      _ = machine.handle(.requestAdded(request), at: Instant(seconds: 0))
    }
    _ = machine.handle(.deadlineReached, at: Instant(seconds: 1))
    return machine
  }

  private static let player = ApplicationRule(
    source: "player.toml:1", matches: ["player"], supported: [.landscape])

  @Test func `each device orientation has its own outcome`() {
    let outcomes = Self.machine().explanation(of: nil).outcomes
    #expect(outcomes.map(\.device) == DeviceOrientation.allCases)
    let byDevice = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.device, $0.orientation) })
    #expect(byDevice[.leftUp] == .left && byDevice[.rightUp] == .right && byDevice[.normal] == .normal)
    #expect(byDevice[.bottomUp] == .normal && byDevice[.faceUp] == .normal && byDevice[.unknown] == .normal)
    let left = outcomes.first { $0.device == .leftUp }
    #expect(left?.reason == Reason.upright(.leftUp).message(on: .landscape).phrase)
  }

  @Test func `each window has its rule and the focused is first`() {
    let reader = Window(id: 1, identifiers: ["reader"])
    let film = Window(id: 2, identifiers: ["player", "io.player"], isFullscreen: true)
    var machine = Self.machine(rules: [Self.player], focus: reader)
    _ = machine.handle(.focusChanged(film), at: Instant(seconds: 2))
    _ = machine.handle(.deadlineReached, at: Instant(seconds: 3))
    #expect(machine.application == "player")
    let lately = machine.explanationsOfWindows
    #expect(lately.map(\.identifiers) == [["player", "io.player"], ["reader"]])
    #expect(lately.map(\.rule) == [Self.player, nil])
    #expect(lately.map(\.isFullscreen) == [true, false])
    #expect(!machine.knowsAllWindows)
    let listed = [["reader"], ["player", "io.player"], [], ["other"], ["reader"]]
    _ = machine.handle(.windowsListed(listed), at: Instant(seconds: 4))
    #expect(machine.explanationsOfWindows.compactMap(\.identifiers.first) == ["player", "reader", "other"])
    #expect(machine.knowsAllWindows)
  }

  @Test func `the desktop file of an app that had focus is explained`() {
    var machine = Self.machine(focus: Window(id: 1, identifiers: ["maps"], declared: [.portrait]))
    _ = machine.handle(.focusChanged(Window(id: 2, identifiers: ["reader"])), at: Instant(seconds: 2))
    _ = machine.handle(.deadlineReached, at: Instant(seconds: 3))
    #expect(machine.explanation(of: "maps").rule?.source == "its desktop file")
    #expect(machine.explanationsOfWindows.map { $0.rule?.source } == [nil, "its desktop file"])
  }

  @Test func `a focused window on another output is named by it`() {
    let window = Window(id: 1, identifiers: ["reader"], output: "HDMI-1")
    let explanation = Self.machine(focus: window).explanation(of: nil)
    #expect(explanation.identifiers.isEmpty && explanation.otherOutput == "HDMI-1")
    #expect(Self.machine().explanation(of: nil).otherOutput == nil)
  }

  @Test func `an app is explained by either of its names`() {
    let window = Window(id: 1, identifiers: ["player", "Player-window"])
    let machine = Self.machine(rules: [Self.player], focus: window)
    #expect(machine.explanation(of: "player-Window").rule == Self.player)
    #expect(machine.explanation(of: "player").identifiers == window.identifiers)
    #expect(machine.explanation(of: "other").identifiers == ["other"])
  }

  @Test func `of two apps with one name the latest is explained`() {
    var machine = Self.machine(focus: Window(id: 1, identifiers: ["player", "first"]))
    _ = machine.handle(
      .focusChanged(Window(id: 2, identifiers: ["player", "second"])), at: Instant(seconds: 2))
    #expect(machine.explanation(of: "player").identifiers == ["player", "second"])
  }

  @Test func `all levels are explained`() {
    let machine = Self.machine(rules: [Self.player], requests: [[.portrait], [.normal]])
    let explanation = machine.explanation(of: "player")
    #expect(explanation.identifiers == ["player"])
    #expect(explanation.rule == Self.player)
    #expect(explanation.allowed.words.description == "normal")
    #expect(
      explanation.levels.map { "\($0.name.description) \($0.mask.words) \($0.isInEffect)" } == [
        "your settings normal or left or right true", "player.toml:1 normal or inverted true",
        "the request of maps left or right false", "the request of maps normal true",
      ])
  }

  @Test func `an ignored rule is explained`() {
    let rule = ApplicationRule(source: "odd.toml:1", matches: ["odd"], supported: [.inverted])
    let levels = Self.machine(rules: [rule]).explanation(of: "odd").levels
    #expect(levels.map(\.isInEffect) == [true, false])
    #expect(levels.last?.mask.words.description == "inverted")
  }

  @Test func `rules that do not apply have a reason`() {
    let whileFullscreen = ApplicationRule(source: "full.toml:1", matches: ["player"], fullscreen: true)
    let whileNot = ApplicationRule(source: "not.toml:1", matches: ["player"], fullscreen: false)
    let stranger = ApplicationRule(source: "other.toml:1", matches: ["other"])
    let later = ApplicationRule(source: "late.toml:1", matches: ["play*"])
    let machine = Self.machine(rules: [whileFullscreen, Self.player, stranger, later])
    let others = machine.explanation(of: "player").others
    #expect(
      others.map { "\($0.rule.source) \($0.why.description)" } == [
        "full.toml:1 only while fullscreen", "late.toml:1 player.toml:1 comes first",
      ])
    let fullscreen = Self.machine(rules: [whileNot, Self.player]).explanation(
      of: "player", isFullscreen: true)
    #expect(fullscreen.isFullscreen)
    #expect(fullscreen.others.map(\.why.description) == ["only while not fullscreen"])
  }

  @Test func `a rule for titles is explained`() {
    let titled = ApplicationRule(source: "titled.toml:1", matches: ["player"], titles: ["*Film*", "*Clip*"])
    let window = Window(id: 1, identifiers: ["player"], title: "Settings")
    let explanation = Self.machine(rules: [titled, Self.player], focus: window).explanation(of: nil)
    #expect(explanation.others.map(\.why.description) == ["only with the title *Film*, *Clip*"])
  }

  @Test func `all unmet conditions of a rule are named in their order`() {
    let rule = ApplicationRule(
      source: "tent.toml:1", matches: ["player"], fullscreen: true, postures: [.tent])
    let others = Self.machine(rules: [rule, Self.player]).explanation(of: "player").others
    #expect(others.map(\.why.description) == ["only while fullscreen, only in this posture: tent"])
  }

  @Test func `a rule for other postures is explained`() {
    let folded = ApplicationRule(source: "tent.toml:1", matches: ["player"], postures: [.tent, .stand])
    let others = Self.machine(rules: [folded, Self.player]).explanation(of: "player").others
    #expect(others.map(\.why.description) == ["only in this posture: tent, stand"])
  }

  /// Each change of a title is a wake-up.
  @Test func `titles are needed only for a rule with titles`() {
    let titled = ApplicationRule(source: "titled.toml:1", matches: ["player"], titles: ["*Film*"])
    #expect(!Self.machine(rules: [Self.player]).needsTitles)
    #expect(Self.machine(rules: [titled]).needsTitles)
  }

  @Test func `a rule for playback is explained`() {
    let film = ApplicationRule(
      source: "film.toml:1", matches: ["player"], playing: true, supported: [.landscape])
    let still = ApplicationRule(source: "still.toml:1", matches: ["player"], playing: false)
    let silent = Self.machine(rules: [film, still]).explanation(of: "player")
    #expect(silent.rule == still)
    #expect(silent.others.map(\.why.description) == ["only while it plays"])
    var machine = Self.machine(rules: [film, still], focus: Window(id: 1, identifiers: ["player"]))
    let playing = Player(id: "a", names: ["player"], program: "player", status: .playing)
    _ = machine.handle(.playersChanged([playing]), at: Instant(seconds: 2))
    #expect(machine.explanation(of: nil).rule == film)
    #expect(machine.explanation(of: nil).others.map(\.why.description) == ["only while it plays nothing"])
    #expect(machine.explanation(of: "player").rule == still)
  }

  @Test func `players and windows are needed only while they matter`() {
    let film = ApplicationRule(source: "film.toml:1", matches: ["player"], playing: true)
    var machine = Self.machine(rules: [film])
    #expect(!machine.needsPlayers && !machine.needsWindows)
    #expect(Self.machine(rules: [film], focus: Window(id: 1, identifiers: ["player"])).needsPlayers)
    let lock = Event.command(.lock(.to(.left), until: .focus(application: "player")))
    for event in [.windowsListed([["player"]]), lock] { _ = machine.handle(event, at: Instant(seconds: 1)) }
    #expect(machine.needsWindows)
  }

  @Test func `without a name the focused window is explained`() {
    let window = Window(id: 7, identifiers: ["player", "Player"], isFullscreen: true)
    let machine = Self.machine(rules: [Self.player], focus: window)
    let explanation = machine.explanation(of: nil)
    #expect(explanation.identifiers == ["player", "Player"] && explanation.isFullscreen)
    #expect(explanation.rule == Self.player)
    let nobody = Self.machine(rules: [Self.player]).explanation(of: nil)
    #expect(nobody.identifiers.isEmpty && !nobody.isFullscreen && nobody.rule == nil && nobody.others.isEmpty)
  }
}
