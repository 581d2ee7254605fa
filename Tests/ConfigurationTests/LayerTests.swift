// SPDX-License-Identifier: MIT

import Autorotation
import Testing

@testable import Configuration

/// Precedence among several files.
struct LayerTests {
  private func settings(_ layer: ApplicationRule.Layer, _ text: String) -> ConfigurationFile {
    ConfigurationFile(path: "/\(layer)/config.toml", kind: .settings, layer: layer, text: text)
  }

  private func rule(_ layer: ApplicationRule.Layer, _ name: String, _ text: String) -> ConfigurationFile {
    ConfigurationFile(path: "/\(layer)/apps/\(name).toml", kind: .rule, layer: layer, text: text)
  }

  /// The following lines may belong to the list.
  @Test func `after an unterminated list nothing is read`() {
    let read = Configuration.read([settings(.user, "[sensor]\nrate = [ 1,, 2\n]\nsource = \"iio\"\n")])
    #expect(read.diagnostics.count == 1)
  }

  @Test func `twenty invalid lines are reported`() {
    let text = (1...30).map { "key\($0) = nonsense\n" }.joined()
    #expect(TomlRecovery(settings(.user, text)).failures.count == 20)
  }

  @Test func `a broken rule that was never valid keeps nothing`() {
    let read = Configuration.read([rule(.user, "foo", "match = \"foo\"\nsupported = [\n")])
    let faults = read.faults(ofRulesFor: ["foo"]).map { "\($0)" }
    #expect(faults.count == 1 && !faults[0].contains("stays in effect"))
  }

  @Test func `a login screen keeps nothing and starts nothing`() {
    let text = """
      [display]
      take-over = true
      [tablet]
      disable-input = true
      on-screen-keyboard = "wvkbd-mobintl"
      [notifications]
      suggest-rotation = true
      """
    let read = Configuration.read([settings(.user, text)])
    #expect(read.machine.takesOver && read.machine.disablesInput && read.machine.runsHooks)
    #expect(read.machine.notifiesOfErrors && read.settings.suggestsWhileLocked)
    #expect(!read.machine.onScreenKeyboard.isEmpty)
    let login = read.atLogin
    #expect(!login.machine.takesOver && !login.machine.disablesInput && !login.machine.runsHooks)
    #expect(!login.machine.notifiesOfErrors && !login.settings.suggestsWhileLocked)
    #expect(login.machine.onScreenKeyboard.isEmpty)
  }

  @Test func `settings are overridden key by key`() {
    let read = Configuration.read([
      settings(.user, "[desktop]\nrotate-in = \"tablet\"\n"),
      settings(
        .administrator,
        "[desktop]\nrotate-in = \"always\"\nsupported = [\"landscape\"]\n[sensor]\nrate = 10\n"),
    ])
    #expect(read.diagnostics.isEmpty)
    #expect(read.settings.rotateIn == .tablet)
    #expect(read.settings.supported == [.landscape])
    #expect(read.machine.accelerometer.rate == 10)
  }

  @Test func `auto overrides an administrators value`() {
    let read = Configuration.read([
      settings(.user, "[display]\noutput = \"auto\"\npanel-mount = \"auto\"\n[touch]\ndevices = \"auto\"\n"),
      settings(
        .administrator,
        "[display]\noutput = \"DSI-1\"\npanel-mount = \"right-side-up\"\n[touch]\ndevices = \"ELAN*\"\n"),
    ])
    #expect(read.settings == Settings())
    #expect(read.machine == MachineSettings())
  }

  @Test func `every key changes its setting`() {
    let read = Configuration.read([
      settings(
        .user,
        """
        [desktop]
        supported = "all-but-upside-down"
        rotate-in = "tablet"
        laptop-orientation = "left"
        rotate-with-external = false
        [sensor]
        source = "replay:walk.csv"
        device = "iio:device1"
        mount-matrix = "0, 1, 0; -1, 0, 0; 0, 0, 1"
        base-mount-matrix = "0, 0, 1; 0, 1, 0; 1, 0, 0"
        rate = 12.5
        gyroscope = "off"
        [display]
        output = ["eDP-1", "DP-2"]
        panel-mount = "left-side-up"
        take-over = true
        [touch]
        devices = ["ELAN*"]
        ignore = "*Mouse*"
        map = { "*RAYD0002*" = "eDP-2", "ELAN*" = "eDP-1" }
        [tablet]
        switch = "Ideapad*"
        keyboard = "*Type Cover*"
        hinge-angles = [125, 140]
        disable-input = true
        devices = ["auto", "*Folio*"]
        on-screen-keyboard = "wvkbd-mobintl -L 300"
        [lock]
        over-apps = true
        tablet = "remember"
        tent = "inverted"
        stand = "keep"
        laptop = "free"
        docked = "left"
        [hooks]
        enabled = false
        [notifications]
        suggest-rotation = true
        errors = false
        """)
    ])
    #expect(read.diagnostics.map(\.description) == [])
    #expect(Set(read.places.keys) == Set(Configuration.keys.map(\.fullName)))
    #expect(read.machine.sensorSource == .replay(path: "/user/walk.csv"))
    #expect(read.machine.accelerometer.device == "iio:device1")
    #expect(read.machine.accelerometer.baseMountMatrix == MountMatrix([0, 0, 1, 0, 1, 0, 1, 0, 0]))
    #expect(read.machine.accelerometer.hingeAngles == 125...140)
    #expect(read.machine.accelerometer.mountMatrix == MountMatrix([0, 1, 0, -1, 0, 0, 0, 0, 1]))
    #expect(read.machine.accelerometer.rate == 12.5)
    #expect(!read.machine.accelerometer.usesGyroscope)
    #expect(read.machine.touchDevices == ["ELAN*"])
    #expect(read.machine.ignoredTouchDevices == ["*Mouse*"])
    #expect(
      read.machine.touchMap == [
        TouchAssignment("*RAYD0002*", on: "eDP-2"), TouchAssignment("ELAN*", on: "eDP-1"),
      ])
    #expect(read.machine.takesOver)
    #expect(read.machine.disablesInput)
    #expect(read.machine.disabledDevices == ["auto", "*Folio*"])
    #expect(read.machine.onScreenKeyboard == ["wvkbd-mobintl", "-L", "300"])
    #expect(!read.machine.runsHooks)
    #expect(!read.machine.notifiesOfErrors)
    var settings = Settings()
    settings.supported = [.allButUpsideDown]
    settings.rotateIn = .tablet
    settings.laptopOrientation = .left
    settings.rotatesWithExternal = false
    settings.output = OutputChoice(["eDP-1", "DP-2"])
    settings.panelMount = .leftSideUp
    settings.tabletSwitch = .named("Ideapad*")
    settings.keyboard = "*Type Cover*"
    settings.lockOverApps = true
    settings[lockIn: .tablet] = .remember
    settings.locks[.tent] = .to(.inverted)
    settings.locks[.stand] = .keep
    settings[lockIn: .laptop] = .free
    settings[lockIn: .docked] = .to(.left)
    settings.suggestsWhileLocked = true
    #expect(read.settings == settings)
  }

  @Test func `a rule may depend on the posture`() {
    let read = Configuration.read([
      rule(.user, "a", "match = \"mpv\"\nposture = [\"tent\", \"laptop\"]\nsupported = \"landscape\"\n"),
      rule(.user, "b", "match = \"mpv\"\nposture = \"stand\"\nsupported = \"normal\"\n"),
    ])
    #expect(read.diagnostics.map(\.description) == [])
    #expect(read.settings.rules.map(\.postures) == [[.tent, .laptop], [.stand]])
  }

  @Test func `two rules that overlap in a posture are reported`() {
    let read = Configuration.read([
      rule(.user, "a", "match = \"mpv\"\nposture = \"tablet\"\nsupported = \"landscape\"\n"),
      rule(.user, "b", "match = \"mpv\"\nposture = \"tent\"\nsupported = \"normal\"\n"),
    ])
    #expect(read.diagnostics.count == 1, "a tent is a tablet, too")
  }

  @Test func `a rule keeps its source`() {
    let read = Configuration.read([
      rule(
        .user, "a",
        "# first\nsupported = \"landscape\"\nmatch = [\"mpv\"]\nfullscreen = true\npreferred = \"normal\"\n")
    ])
    #expect(
      read.settings.rules == [
        ApplicationRule(
          source: "/user/apps/a.toml:3", matches: ["mpv"], fullscreen: true, supported: [.landscape],
          preferred: .normal)
      ])
  }

  @Test func `a file of the same name overrides`() {
    let read = Configuration.read([
      rule(.user, "mpv", "match = \"vlc\"\nauto-rotate = false\n"),
      rule(.administrator, "mpv", "match = \"mpv\"\nsupported = \"left\"\n"),
      rule(.shipped, "mpv", "match = \"mpv\"\nsupported = \"landscape\"\n"),
    ])
    #expect(read.settings.rules.map(\.matches) == [["vlc"]])
    #expect(
      read.ruleFiles.map(\.state) == [
        .inForce, .replaced(by: "/user/apps/mpv.toml"), .replaced(by: "/user/apps/mpv.toml"),
      ])
    #expect(!read.hasErrors)
  }

  @Test(arguments: ["", "# nothing\n", "\n\n", "\u{FEFF}"])
  func `an empty file disables a rule`(text: String) {
    let read = Configuration.read([
      rule(.user, "mpv", text), rule(.shipped, "mpv", "match = \"mpv\"\nsupported = \"landscape\"\n"),
    ])
    #expect(read.settings.rules.isEmpty)
    #expect(read.ruleFiles.last?.state == .switchedOff(by: "/user/apps/mpv.toml"))
    #expect(read.diagnostics.isEmpty)
  }

  @Test func `a broken file overrides nothing`() {
    let read = Configuration.read([
      rule(.user, "mpv", "match = \"mpv\"\nsupported = \"landscap\"\n"),
      rule(.shipped, "mpv", "match = \"mpv\"\nsupported = \"landscape\"\n"),
    ])
    #expect(read.settings.rules.map(\.layer) == [.shipped])
    #expect(read.ruleFiles.map(\.state) == [.broken, .inForce])
    #expect(read.hasErrors)
  }

  @Test func `the valid keys of a broken config apply`() {
    let read = Configuration.read([
      settings(.user, "[desktop]\nrotate-in = \"tablet\"\nsupported = all\n[lock]\nover-apps = 1\n")
    ])
    #expect(read.settings.rotateIn == .tablet)
    #expect(read.diagnostics.count == 2)
  }

  @Test func `a list with one invalid word is not used`() {
    let read = Configuration.read([
      settings(.user, "[desktop]\nsupported = [\"landscape\", \"sideways\"]\n")
    ])
    #expect(read.settings.supported == Settings().supported && read.hasErrors)
  }

  @Test func `rules are sorted by precedence`() {
    let read = Configuration.read([
      rule(.user, "b", "match = \"b\"\nauto-rotate = false\n"),
      rule(.administrator, "a", "match = \"b\"\nauto-rotate = false\n"),
      rule(.shipped, "0", "match = \"b\"\nauto-rotate = false\n"),
    ])
    #expect(read.settings.rules.map(\.layer) == [.user, .administrator, .shipped])
    #expect(read.settings.rules.rule(for: Window(id: 1, identifiers: ["B"]))?.layer == .user)
    #expect(read.diagnostics.map(\.severity) == [.note, .note])
    #expect(
      read.diagnostics.first?.headline.description
        == "/administrator/apps/a.toml:1:9: note: for \"b\", /user/apps/b.toml:1 overrides this rule")
  }

  @Test func `an unreadable file is an error`() {
    let read = Configuration.read([
      ConfigurationFile(
        path: "/user/config.toml", kind: .settings, layer: .user,
        content: .unreadable(reason: "Permission denied"))
    ])
    #expect(
      read.diagnostics.map(\.headline.description) == [
        "/user/config.toml: error: cannot be read: Permission denied"
      ])
  }

  @Test func `a huge file is refused`() {
    let text = String(repeating: "# nothing to see\n", count: 5000)
    let read = Configuration.read([settings(.user, text)])
    #expect(
      read.diagnostics.map(\.headline.description) == ["/user/config.toml: error: is larger than 64 KiB"])
  }
}
