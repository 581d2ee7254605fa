// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// The command line. Plain `autorotate` is the daemon; its options talk to a daemon that runs.
struct Autorotate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "autorotate",
    abstract: localized("Turns picture, touch and pen of a 2-in-1 with the device."),
    discussion: localized(
      """
      Without options it turns the built-in panel until it is stopped. The other options speak to the \
      one that runs. What is given here goes before config.toml.

      Exit status: 0 done, 1 failed, 2 usage error, 3 no autorotate is running, \
      4 not possible here (no sensor, or no display that turns).
      """),
    version: version,
    subcommands: [
      LockVerb.self, UnlockVerb.self, ToggleVerb.self, RotateVerb.self, HoldVerb.self, ReleaseVerb.self,
      StatusVerb.self, QuitVerb.self, Calibrate.self, Check.self, ConfigCommand.self, Doctor.self,
      Explain.self,
      Monitor.self, Record.self, Replay.self, RequestCommand.self, RuleCommand.self, Setup.self,
      TrayCommand.self, WindowsCommand.self,
    ])

  @OptionGroup(title: "Daemon options")
  var daemon: DaemonArguments

  @Option(
    name: .long, defaultAsFlag: .shown,
    help: .said("Lock the picture as it is shown, or to an orientation.", valueName: "orientation"))
  var lock: LockTarget?

  @OptionGroup
  var lockEnd: LockEndOptions

  @Flag(name: .long, help: .said("Take the lock back; the picture goes to how the device is held."))
  var unlock = false

  @Flag(name: .long, help: .said("Lock what is shown, or unlock."))
  var toggleLock = false

  @Option(
    name: .long,
    help: .said(
      "Turn the picture now; a lock moves with it. With --output: that output, which stays so.",
      valueName: "orientation"))
  var rotate: RotateTarget?

  @Flag(name: .long, help: .said("Pause auto-rotation, until released."))
  var hold = false

  @Flag(name: .long, help: .said("Go on with auto-rotation after --hold."))
  var release = false

  @Flag(name: .long, help: .said("Stop the autorotate that runs in this session."))
  var quit = false

  @Option(
    name: .long,
    help: .said("Say what the posture is, until auto leaves it to the device.", valueName: "posture"))
  var posture: PostureChoice?

  @Flag(name: .long, help: .said("Tell orientation, lock, sensor, output, and why the picture is as it is."))
  var status = false

  @OptionGroup
  var form: StatusOptions

  /// That of a sub-command, too, since the parser gives it to us.
  var json: Bool { form.json }

  /// What cannot be meant. Not in validate(): the parser hands us the options of a sub-command, too.
  func check() throws {
    guard requests.count <= 1 else {
      throw misuse("Give one of \(requests.joined(separator: ", ")) at a time.")
    }
    guard lock != nil || lockEnd.given.isEmpty || mayEnd else {
      throw misuse("\(lockEnd.given.joined(separator: ", ")) goes with --lock.")
    }
    guard rotate != .offered || daemon.output == nil else {
      throw misuse("What is offered is a turn of the panel: leave --output out.")
    }
    guard status || form.given.isEmpty else {
      throw misuse("--json, --format and --follow go with --status.")
    }
  }

  /// Whether it has an end without a lock: --unlock --for, and --rotate ORIENTATION --until-unfolded, which locks to it.
  private var mayEnd: Bool {
    let isLockable = rotate?.wish != nil && daemon.output == nil
    return unlock && lockEnd.given == ["--for"] || isLockable && lockEnd.given == ["--until-unfolded"]
  }

  private var requests: [String] {
    [
      (lock != nil, "--lock"), (unlock, "--unlock"), (toggleLock, "--toggle-lock"),
      (rotate != nil, "--rotate"), (hold, "--hold"), (release, "--release"),
      (posture != nil, "--posture"), (status, "--status"), (quit, "--quit"),
    ].filter(\.0).map(\.1)
  }

  mutating func run() throws {
    try check()
    let status = try MainActor.assumeIsolated { try perform() }
    guard status == .done else { throw status }
  }

  @MainActor
  private func perform() throws -> ExitStatus {
    try askDaemon() ?? Daemon.run(daemon.options)
  }
}

/// Which output: the daemon's instead of its panel, or that of one turn.
struct OutputOption: ParsableArguments {
  @Option(
    help: .said("Turn this output instead of the built-in panel.", valueName: "name"), completion: .outputs)
  var output: String?
}
