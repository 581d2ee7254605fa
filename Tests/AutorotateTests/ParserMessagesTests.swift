// SPDX-License-Identifier: MIT

import ArgumentParser
import Testing

@testable import autorotate

struct ParserMessagesTests {
  /// ArgumentParser, built for debugging, crashed there.
  @Test(arguments: ["0", "-1", "1", "26"])
  func `help on a narrow terminal does not crash`(columns: String) throws {
    let width = try #require(ParserMessages.columns(variable: columns, output: -1))
    #expect(Autorotate.helpMessage(columns: width).contains("--version"))
    #expect(DaemonRun.helpMessage(columns: width).contains("--sensor"))
  }

  @Test(arguments: [nil, "", "no number", "40", "200"])
  func `other widths are left to the terminal`(columns: String?) {
    #expect(ParserMessages.columns(variable: columns, output: -1) == nil)
  }

  /// The lines that are printed for a usage error.
  private func answer(to words: [String]) throws -> [String] {
    let words = EarlierOptions.rewritten(words)
    let error = try #require(throws: (any Error).self) { try Autorotate.parseAsRoot(words) }
    #expect(Autorotate.exitCode(for: error) == .validationFailure)
    return ParserMessages.usageError(error, after: words).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (["--foo"], "--foo", "See `autorotate --help`."),
    (["--statis"], "--statis", "Did you mean `autorotate status`?"),
    (["--rotate", "lft"], "lft", "See `autorotate rotate --help`."),
    (["--posture", "tabelt"], "tabelt", "See `autorotate posture --help`."),
    (["status", "--format", "waybra"], "waybra", "See `autorotate status --help`."),
    (["xyzzy"], "xyzzy", "See `autorotate --help`."), (["'"], "'", "See `autorotate --help`."),
    (["lok"], "lok", "Did you mean `autorotate lock`?"),
    (["Status"], "Status", "Did you mean `autorotate status`?"),
    (["unlok", "now"], "unlok", "Did you mean `autorotate unlock now`?"),
    (["rule", "lst"], "lst", "Did you mean `autorotate rule list`?"),
    (
      ["config", "ste", "lock.over-apps", "true"], "ste",
      "Did you mean `autorotate config set lock.over-apps true`?"
    ),
    (["config", "lock.over-apps"], "lock.over-apps", "See `autorotate config --help`."),
    (["roate", "left"], "roate", "Did you mean `autorotate rotate left`?"),
    (["version"], "version", "Did you mean `autorotate --version`?"),
    (["--sensor", "foo"], "Use one of: auto, iio, proxy, replay:FILE", "See `autorotate --help`."),
    (["--backend", "foo"], "Use one of: auto, ", "See `autorotate --help`."),
    (["--panel-mount", "foo"], "Use one of: ", "See `autorotate --help`."),
    (["config", "set", "over-apps"], "true, false", "See `autorotate config set --help`."),
    (["hold", "xyzzy"], "xyzzy", "See `autorotate hold --help`."),
    (["pause", "xyzzy"], "xyzzy", "See `autorotate pause --help`."),
    (["lock", "left", "30m"], "30m", "See `autorotate lock --help`."),
    (["--rotate", "left", "lok"], "lok", "See `autorotate rotate --help`."),
    (["record"], "file", "See `autorotate record --help`."),
  ])
  func `a usage error names the word and the next step`(
    _ words: [String], _ word: String, _ nextStep: String
  ) throws {
    let lines = try answer(to: words)
    #expect(lines.first?.contains(word) == true, "\(lines)")
    #expect(lines.last == nextStep)
  }

  @Test func `help for an unknown command is an error`() {
    #expect(ParserMessages.unknownCommand(after: ["help", "lock"]) == nil)
    #expect(ParserMessages.unknownCommand(after: ["help", "rule", "add"]) == nil)
    #expect(ParserMessages.unknownCommand(after: ["help"]) == nil)
    let answer = ParserMessages.unknownCommand(after: ["help", "lok"])
    #expect(answer == "There is no command “lok”.\nDid you mean `autorotate lock`?")
  }

  @Test(arguments: [
    (["rotate", "lft"], "Did you mean \"left\"?"), (["rotate", "clockwise"], "Did you mean \"next\"?"),
    (["rotate", "upside-down"], "Did you mean \"inverted\"?"),
    (["rotate", "rite"], "\"rite\" is not an orientation. Use one of: normal, left, inverted, right"),
    (["lock", "portait"], "Did you mean \"portrait\"?"),
    (["lock", "sidewise"], "\"sidewise\" is not an orientation. Use one of: normal"),
    (["lock", "off"], "Did you mean `autorotate unlock`?"),
    (["lock", "on"], "Did you mean `autorotate lock`?"),
    (["lock", "5m"], "Did you mean `autorotate lock --for 5m`?"),
    (["lock", "5"], "\"5\" is not an orientation. Use one of"),
    (["lock", "--for", "5"], "Write a unit: 5s, 5m or 5h."),
    (["lock", "--for", "30min"], "Write whole days, hours, minutes and seconds, in this order: 90s"),
    (["rule", "add", "landscape", "mpv"], "The app's name comes first: mpv landscape"),
    (["rule", "add", "mpv"], "Give the orientations, as in: autorotate rule add mpv landscape"),
    (["rotate"], "Give an orientation"),
    (["request", "lanscape", "--", "x"], "Did you mean \"landscape\"?"),
  ])
  func `a wrong value is answered in one line`(_ words: [String], _ text: String) throws {
    let lines = try answer(to: words)
    #expect(lines.count == 2 && lines[0].contains(text), "\(lines)")
  }
}
