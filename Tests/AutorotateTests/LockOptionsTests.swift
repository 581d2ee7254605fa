// SPDX-License-Identifier: MIT

import ArgumentParser
import Configuration
import Testing

@testable import Autorotation
@testable import autorotate

struct LockOptionsTests {
  @Test(arguments: [
    ("1s", 1), ("90s", 90), ("30m", 1800), ("2h", 7200), ("1h30m", 5400), ("1d2h3m4s", 93784),
    ("0h5m", 300), ("007s", 7), ("4294967295s", UInt32.max),
  ])
  func `times are read`(_ words: String, _ seconds: UInt32) throws {
    #expect(try LockDuration(words: words).seconds == seconds)
  }

  @Test(arguments: [
    ("", "Write whole days"), ("m", "Write whole days"), ("30", "Write a unit: 30s, 30m or 30h."),
    ("1h30", "Write a unit: 30s"), ("30x", "Write whole days"), ("1.5h", "Write whole days"),
    ("-5m", "Write whole days"), ("5 m", "Write whole days"), ("30m1h", "Write whole days"),
    ("5m5m", "Write whole days"), ("５m", "Write whole days"), ("0s", "at least 1s"), ("0h0m", "at least 1s"),
    ("4294967296s", "too long"), ("99999999999999999999s", "too long"), ("49711d", "too long"),
    ("49710d24h", "too long"), ("5M", "Write whole days"),
  ])
  func `invalid times are answered with the correct form`(_ words: String, _ advice: String) {
    let error = #expect(throws: ValidationError.self) { try LockDuration(words: words) }
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    (["--lock", "--for", "30m", "--until-unfolded"], "Give one of --for, --until-unfolded"),
    (["--lock", "--while", ""], "--while requires an app's name"),
    (["--lock", "--for", "soon"], "Write whole days"),
    (["request", "sideways", "--", "true"], "\"sideways\" is not an orientation. Use one of: normal"),
    (["request", "landscape", "mpv"], "\"mpv\" is not an orientation"),
    (["request", "landscape", "--why", "x"], "Give the command after --: autorotate request landscape"),
    (["request", "landscape", "--", ""], "Give the command after --"),
    (["rotate"], "Give an orientation"), (["rotate", "left", "--offered"], "Give an orientation"),
    (["lock", "left", "--output", "DP-1"], "Unknown option '--output'"),
    (["--sensor", "proxy", "status"], "Unknown option '--sensor'"),
    (["--wait", "status"], "Unknown option '--wait'"),
    (["--wait", "config", "get"], "Unknown option '--wait'"),
  ])
  func `invalid arguments are explained`(_ words: [String], _ advice: String) {
    let error = #expect(throws: (any Error).self) {
      try Autorotate.parseAsRoot(EarlierOptions.rewritten(words))
    }
    guard let error else { return }
    #expect(Autorotate.exitCode(for: error) == .validationFailure)
    #expect(Autorotate.fullMessage(for: error).contains(advice), "\(Autorotate.fullMessage(for: error))")
  }

  /// Options of one sub-command with another one, and two sub-commands at once.
  @Test(arguments: [
    ["--for", "30m"], ["--until-unfolded"], ["--unlock", "--while", "mpv"], ["unlock", "--until-unfolded"],
    ["hold", "--for", "30m"], ["lock", "--unlock"], ["--lock", "--unlock"], ["--lock", "status"],
    ["--hold", "--release"], ["--json"], ["--format", "plain"], ["lock", "--follow"], ["doctor", "--lock"],
    ["--lock", "check"], ["explain", "--rotate=left"], ["rule", "list", "--follow"], ["--posture"],
    ["--rotate"], ["--status=json"], ["--toggle-lock", "--status"], ["status", "--wait"],
    ["--greeter", "monitor"], ["rotate", "left", "--sensor", "iio"], ["--output", "DP-1", "--lock"],
  ])
  func `arguments that exclude each other are a usage error`(_ words: [String]) {
    let error = #expect(throws: (any Error).self) {
      try Autorotate.parseAsRoot(EarlierOptions.rewritten(words))
    }
    #expect(error.map { Autorotate.exitCode(for: $0) } == .validationFailure)
  }

  @Test(arguments: [
    (["--rotate", "offered", "--until-unfolded"], "--until-unfolded requires an orientation."),
    (["rotate", "--offered", "--until-unfolded"], "--until-unfolded requires an orientation."),
    (["--rotate", "left", "--output", "DP-1", "--until-unfolded"], "Leave out --output"),
    (["rotate", "--offered", "--output", "DP-1"], "Leave out --output"),
    (["--output", "DP-1", "--rotate", "offered"], "Leave out --output"),
  ])
  func `options that cannot be combined are explained`(_ words: [String], _ advice: String) throws {
    let error = #expect(throws: ValidationError.self) { try asked(words) }
    #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ["doctor", "--json"], ["request", "left", "--", "sleep", "--lock"], ["--", "--lock"],
    ["--output", "DP-1", "--wait"], ["--wait", "--", "lock"],
    ["---completion", "rotate", "--", "--output", "2", "0", "rotate", ""], ["--locked"], [],
  ])
  func `other words are not rewritten`(_ words: [String]) {
    #expect(EarlierOptions.rewritten(words) == words)
  }

  @Test(arguments: [
    ["monitor", "--sensor", "iio"], ["setup", "--greeter"], ["--wait", "--unless-running"],
    ["daemon", "--panel-mount", "top-up"], ["request", "left", "--", "kbd", "--output", "DP-1"],
    ["lock", "--wait", "--help"], ["help", "daemon"],
  ])
  func `options of the daemon stay where they are read`(_ words: [String]) {
    #expect(EarlierOptions.rewritten(words) == words)
    #expect(throws: Never.self) { try Autorotate.parseAsRoot(words) }
  }

  @Test func `without a command they are the daemons`() throws {
    let run = try #require(try Autorotate.parseAsRoot(["--sensor", "iio", "--output", "DP-1"]) as? DaemonRun)
    #expect(run.options == DaemonOptions(sensor: .iio, output: "DP-1"))
  }

  @Test(arguments: [
    (["--sensor", "iio", "monitor"], ["monitor", "--sensor", "iio"]),
    (["--output", "DP-1", "rotate", "left"], ["rotate", "--output", "DP-1", "left"]),
    (["--greeter", "setup", "--remove"], ["setup", "--greeter", "--remove"]),
    (["--wait", "daemon"], ["daemon", "--wait"]), (["--help", "pause"], ["pause", "--help"]),
    (["--while", "record", "--lock"], ["lock", "--while", "record"]),
  ])
  func `options before a command are the commands`(_ words: [String], _ result: [String]) {
    #expect(EarlierOptions.rewritten(words) == result)
    #expect(throws: Never.self) { try Autorotate.parseAsRoot(result) }
  }

  @Test func `the value of a setting may look like an option`() throws {
    let words = ["config", "set", "on-screen-keyboard", "kbd", "--output=DP-1"]
    #expect((try Autorotate.parseAsRoot(words) as? ConfigSet)?.value == ["kbd", "--output=DP-1"])
  }

  private func asked(_ words: [String]) throws -> DaemonCommand {
    let command = try Autorotate.parseAsRoot(EarlierOptions.rewritten(words))
    return try #require(command as? any DaemonSubcommand).command()
  }

  @Test(arguments: [
    (["lock"], ["--lock"], DaemonCommand.lock(nil, until: nil)),
    (["lock", "landscape"], ["--lock", "landscape"], .lock(.landscape, until: nil)),
    (
      ["lock", "left", "--for", "1h30m"], ["--lock", "left", "--for=1h30m"],
      .lock(.to(.left), until: .time(.seconds(5400)))
    ),
    (
      ["lock", "--while", "mp*"], ["--while", "mp*", "--lock"], .lock(nil, until: .focus(application: "mp*"))
    ),
    (
      ["lock", "right", "--until-unfolded"], ["--until-unfolded", "--lock=right"],
      .lock(.to(.right), until: .unfolded)
    ),
    (["unlock"], ["--unlock"], .unlock),
    (["unlock", "--for", "5s"], ["--unlock", "--for", "5s"], .unlockOnce(.seconds(5))),
    (["toggle"], ["--toggle-lock"], .toggleLock),
    (["rotate", "next"], ["--rotate", "next"], .rotate(.next, output: nil)),
    (["rotate", "portrait"], ["--rotate=portrait"], .rotate(.portrait, output: nil)),
    (
      ["rotate", "left", "--output", "DP-1"], ["--output", "DP-1", "--rotate", "left"],
      .rotate(.to(.left), output: "DP-1")
    ),
    (
      ["rotate", "next", "--until-unfolded"], ["--rotate", "next", "--until-unfolded"],
      .lock(.next, until: .unfolded)
    ),
    (["rotate", "--offered"], ["--rotate", "offered"], .acceptSuggestion),
    (["hold"], ["--hold"], .hold(true)), (["release"], ["--release"], .hold(false)),
    (["posture", "tent"], ["--posture", "tent"], .setPosture(.tent)), (["quit"], ["--quit"], .quit),
  ])
  func aSubcommandEqualsItsOldOption(_ word: [String], _ option: [String], _ command: DaemonCommand) throws {
    for words in [word, option] { #expect(try asked(words) == command) }
  }

  @Test(arguments: [["status", "--json", "--follow"], ["--follow", "--json", "--status"]])
  func `the status subcommand equals its old option`(_ words: [String]) throws {
    let parsed = try Autorotate.parseAsRoot(EarlierOptions.rewritten(words))
    let status = try #require(parsed as? StatusCommand)
    #expect(status.json && status.follow && status.format == nil)
  }

  @Test func `a request has orientations and a command`() throws {
    let words = [
      "request", "left", "portrait-primary", "--why", "scores", "--", "sh", "-c", "--why", "--", "x",
    ]
    let command = try #require(try Autorotate.parseAsRoot(words) as? RequestCommand)
    #expect(command.options == .init(mask: ["left", "portrait-primary"], application: "sh", why: "scores"))
    #expect(command.command == ["sh", "-c", "--why", "--", "x"])
    let named = try Autorotate.parseAsRoot(["request", "--app", "Scores", "all", "--", "/opt/x/run"])
    #expect((named as? RequestCommand)?.options.application == "Scores")
    let path = try Autorotate.parseAsRoot(["request", "all", "--", "/opt/x/run"])
    #expect((path as? RequestCommand)?.options.application == "run")
  }

  private func differences(_ words: [String], _ change: (inout StatusReport) -> Void) throws -> [String] {
    var report = StatusReport(.example)
    change(&report)
    return try asked(words).differences(in: report)
  }

  @Test func `a present or pending orientation is not reported`() throws {
    #expect(try differences(["--lock"]) { _ in } == [])
    #expect(try differences(["--lock", "left"]) { _ in } == [])
    #expect(try differences(["--unlock"]) { $0.orientation = "right" } == [])
    for reason in [Reason.rotating(.right), .rotating(.inverted), .waitsForFinger] {
      #expect(
        try differences(["--lock", "right"]) { $0.reasonCodes.append(reason.message(on: nil).code.rawValue) }
          == [])
    }
  }

  @Test func `an orientation that is not applied is reported`() throws {
    #expect(
      try differences(["--lock", "right"]) { $0.allowed = ["normal", "left"] } == [
        "Locked (right edge up), but only upright or left edge up is allowed now. See why with: autorotate status"
      ])
    #expect(
      try differences(["--rotate", "right"]) { _ in } == [
        "Asked for right edge up, but the screen is not rotated to it now. See why with: autorotate status"
      ])
    let unfolded = ["--lock", "--until-unfolded"]
    #expect(try differences(unfolded) { _ in } == [])
    #expect(
      try differences(unfolded) { $0.posture = "unknown" }.first?.hasSuffix("autorotate unlock") == true)
  }

  @Test(arguments: [["lock", "left"], ["unlock"], ["toggle"], ["rotate", "left"], ["lock", "--for", "5m"]])
  func `a lock that was not saved is reported`(_ words: [String]) throws {
    let reason = Reason.lockNotSaved(Message(.lockNotSaved, "No space left on device."))
    let change: (inout StatusReport) -> Void = {
      $0.reasons.append(reason.message(on: nil).description)
      $0.reasonCodes.append(reason.message(on: nil).code.rawValue)
    }
    #expect(try differences(words, change) == ["No space left on device."])
    #expect(try differences(["hold"], change) == [])
    #expect(try differences(["rotate", "left", "--output", "DP-1"], change) == [])
  }

  private func confirmation(_ words: [String], _ change: (inout StatusReport) -> Void) throws -> String? {
    var report = StatusReport(.example)
    change(&report)
    return try asked(words).confirmation(in: report)
  }

  @Test func `a command without effect is confirmed as such`() throws {
    var report = StatusReport(.example)
    (report.lock, report.lockEnd, report.orientation, report.reasonCodes) = ("", "", "left", [])
    func confirmation(_ words: [String], _ before: StatusReport) throws -> String {
      try asked(words).confirmation(in: report, after: before)
    }
    #expect(try confirmation(["unlock"], report) == "The screen was already unlocked.")
    #expect(try confirmation(["rotate", "left"], report).hasPrefix("The screen was already "))
    var before = report
    (before.lock, before.orientation) = ("right", "right")
    #expect(try confirmation(["unlock"], before) == "The screen is unlocked.")
    #expect(try confirmation(["rotate", "left"], before).hasPrefix("The screen is now "))
  }

  @Test func `the end of a short lock has seconds`() {
    #expect(StatusReport.clock(1_000_003, now: 1_000_000).split(separator: ":").count == 3)
    #expect(StatusReport.clock(1_000_600, now: 1_000_000).split(separator: ":").count == 2)
    #expect(StatusReport.clock(999_999, now: 1_000_000).split(separator: ":").count == 2)
  }

  @Test func `the end of a lock on another day has its date`() throws {
    let time = StatusReport.clock(1_000_500, now: 1_000_000)
    #expect(!time.contains("-"))
    let dates = [1, 3].map { StatusReport.clock(UInt64(1_000_500 + $0 * 86_400), now: 1_000_000) }
    for date in dates { #expect(date.hasPrefix("1970-01-1") && date.hasSuffix(" \(time)")) }
    let days = dates.compactMap { Int($0.split(separator: " ")[0].suffix(2)) }
    #expect(days.count == 2 && days[0] + 2 == days[1])
  }

  @Test func `the result of a command is confirmed`() throws {
    let free: (inout StatusReport) -> Void = {
      $0.lock = ""
      $0.lockEnd = ""
      $0.orientation = "right"
      $0.reasonCodes = []
    }
    #expect(try confirmation(["unlock"], free) == "The screen is unlocked.")
    #expect(try confirmation(["rotate", "next"], free) == "The screen is now right edge up.")
    #expect(
      try confirmation(["rotate", "next", "--output", "DP-1"], free)
        == "DP-1 is upright, and autorotate no longer keeps its orientation.")
    for isOn in [true, false] {
      let kept = Reason.outputKept("DP-1", .left, isOn: isOn).message(on: nil)
      let result = try confirmation(["rotate", "left", "--output", "DP-1"]) {
        free(&$0)
        ($0.reasonCodes, $0.reasons, $0.localReasons) = ([kept.code.rawValue], [kept.description], [])
      }
      #expect(result == kept.description)
    }
    #expect(try confirmation(["hold"], free) == "Auto-rotation is paused. To resume: autorotate resume")
    let locked: (inout StatusReport) -> Void = {
      free(&$0)
      $0.lock = "right"
    }
    for words in [["lock"], ["toggle"], ["rotate", "right"], ["rotate", "--offered"]] {
      #expect(try confirmation(words, locked) == "The screen is locked (right edge up).")
    }
  }

  @Test func `a lock is confirmed while the display is off`() throws {
    var report = StatusReport(.example)
    #expect(try asked(["rotate", "right"]).confirmationWithoutRotation(in: report) == nil)
    (report.lock, report.reasonCodes) = ("right", ["display.off"])
    let lock = try asked(["lock", "right"])
    let locked = "The screen is locked (right edge up)."
    #expect(
      lock.confirmationWithoutRotation(in: report)
        == "\(locked) autorotate rotates it when it is visible again.")
    report.orientation = "right"
    #expect(lock.confirmationWithoutRotation(in: report) == locked)
  }

  @Test func `a panel rotated by name follows the device as before`() throws {
    var report = StatusReport(.example)
    (report.lock, report.lockEnd, report.orientation, report.reasonCodes) = ("", "", "right", [])
    report.outputs = ["eDP-1", "eDP-2"]
    for output in report.outputs {
      let command = try asked(["rotate", "right", "--output", output]).withoutPanelName(in: report)
      #expect(command.isRotation)
      #expect(command.confirmation(in: report) == "The screen is now right edge up.")
    }
    let monitor = try asked(["rotate", "right", "--output", "DP-1"])
    #expect(monitor.withoutPanelName(in: report) == monitor)
  }

  @Test func `a waiting rotation is reported with its reason`() throws {
    let confirmation = try confirmation(["rotate", "right"]) {
      $0.reasonCodes = [Reason.waitsForFinger.message(on: nil).code.rawValue]
      $0.reasons = [Reason.waitsForFinger.message(on: nil).description]
      $0.localReasons = []
    }
    #expect(confirmation == Reason.waitsForFinger.message(on: nil).description)
  }
}
