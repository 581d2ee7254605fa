// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import autorotate

struct HelpTextTests {
  /// ArgumentParser has no room for words there: built for debugging it crashed, and with that the program.
  @Test(arguments: ["0", "-1", "1", "26"])
  func helpOnANarrowTerminalIsNoCrash(columns: String) throws {
    let width = try #require(HelpText.columns(said: columns, output: -1))
    #expect(Autorotate.fullMessage(for: CleanExit.helpRequest(), columns: width).contains("--lock"))
  }

  @Test(arguments: [nil, "", "no number", "40", "200"])
  func otherWidthsAreLeftToTheTerminal(columns: String?) {
    #expect(HelpText.columns(said: columns, output: -1) == nil)
  }

  @Test(arguments: [
    (["--rotate", "lft"], "The value 'lft' is invalid for '--rotate <orientation>'. Did you mean 'left'?"),
    (["rotate", "upside-down"], "Did you mean 'inverted'?"),
    (["lock", "portait"], "Did you mean 'portrait'?"),
    (["rotate", "clockwise"], "Did you mean 'next'?"), (["--posture", "tabelt"], "Did you mean 'tablet'?"),
    (["--posture", "clamshell"], "Did you mean 'laptop'?"), (["--sensor", "ioo"], "Did you mean 'iio'?"),
    (["--backend", "swya"], "Did you mean 'sway'?"),
    (["status", "--format", "waybra"], "Did you mean 'waybar'?"),
    (["lok"], "There is no command 'lok'. Did you mean 'autorotate lock'?"),
    (["unlok", "now"], "Did you mean 'autorotate unlock'?"),
    (["left"], "Did you mean 'autorotate rotate left'?"),
    (["Status"], "Did you mean 'autorotate status'?"), (["pause"], "Did you mean 'autorotate hold'?"),
    (["stop"], "Did you mean 'autorotate quit'?"),
    (["config", "show"], "Did you mean 'autorotate config list'?"),
    (["rotate", "rite"], "Did you mean 'right'?"),
    (["--toggel-lock"], "Did you mean '--toggle-lock'?"),
    (["rule", "lst"], "There is no command 'lst'. Did you mean 'autorotate rule list'?"),
    (["rule", "remov", "mpv"], "Did you mean 'autorotate rule remove'?"),
    (["rule", "delete", "mpv"], "Did you mean 'autorotate rule remove'?"),
    (["rule", "mpv", "landscape"], "Did you mean 'autorotate rule add mpv landscape'?"),
    (["config", "ste", "lock.over-apps", "true"], "Did you mean 'autorotate config set'?"),
    (["config", "reset", "sensor.rate"], "Did you mean 'autorotate config unset'?"),
    (["config", "lock.over-apps"], "Did you mean 'autorotate config get lock.over-apps'?"),
    (["config", "over-apps", "true"], "Did you mean 'autorotate config set over-apps true'?"),
    (["lock", "off"], "Did you mean 'autorotate unlock'?"),
    (["lock", "on"], "Did you mean 'autorotate lock'?"),
    (["lock", "5m"], "The value '5m' is invalid for '<orientation>'. Did you mean '--for 5m'?"),
    (["lock", "landscape", "30m"], "Unexpected argument '30m'. Did you mean '--for 30m'?"),
    (["unlock", "5s"], "Did you mean '--for 5s'?"),
    (["rule", "add", "landscape", "mpv"], "The application's name comes first: mpv landscape"),
    (["request", "lanscape", "--", "x"], "Did you mean \"landscape\"?"),
  ])
  func aMistypedWordIsAnsweredWithTheOneThatWasMeant(_ words: [String], _ answer: String) {
    let error = #expect(throws: (any Error).self) { try Autorotate.parseAsRoot(words) }
    let said = error.map(HelpText.message) ?? ""
    #expect(said.contains(answer), "\(said)")
  }

  @Test(arguments: [
    ["--rotate", "sidewise"], ["xyzzy"], ["hold", "xyzzy"], ["--lock", "'"], ["--rotate", "'"], ["'"],
    ["lock", "5"], ["lock", "left", "xyzzy"], ["unlock", "left"], ["status", "5m"], ["rule", "xyzzy"],
    ["rule", "'"], ["config", "xyzzy", "1"], ["config", "'"], ["monitor", "lst"],
  ])
  func nothingIsGuessedOfAWordThatIsLikeNone(_ words: [String]) {
    let error = #expect(throws: (any Error).self) { try Autorotate.parseAsRoot(words) }
    #expect(error.map { !HelpText.message(for: $0).contains("Did you mean") } == true)
  }

  @Test(arguments: [
    (["rotate", "rite"], "Error: The value 'rite' is invalid for '<orientation>'. Did you mean 'right'?"),
    (
      ["lock", "sidewise"],
      "Error: The value 'sidewise' is invalid for '<orientation>'. Please provide one of 'normal', 'left', "
        + "'inverted', 'right', 'landscape', 'portrait', 'next' or 'previous'."
    ),
    (
      ["lock", "--for", "5"],
      "Error: The value '5' is invalid for '--for <time>': Write a unit: 5s, 5m or 5h."
    ),
    (
      ["lock", "--for", "30min"],
      "Error: The value '30min' is invalid for '--for <time>': Write whole days, hours, minutes and seconds, in "
        + "this order: 90s, 30m, 2h, 1h30m."
    ),
  ])
  func `a wrong value is answered in one line`(_ words: [String], _ answer: String) {
    let error = #expect(throws: (any Error).self) { try Autorotate.parseAsRoot(words) }
    #expect(error.map(HelpText.message) == answer)
  }

  @Test(arguments: [["rule", "add"], ["rule", "add", "mpv"], ["rule", "edit", "mpv"], ["rotate"]])
  func whatIsMissingIsSaidWithTheUsageOfTheCommand(_ words: [String]) {
    let error = #expect(throws: (any Error).self) { try Autorotate.parseAsRoot(words) }
    let command = words.prefix(words[0] == "rule" ? 2 : 1).joined(separator: " ")
    #expect(error.map { HelpText.message(for: $0).contains("Usage: autorotate \(command) [") } == true)
  }
}
