// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Language

/// The command line. Plain `autorotate` is the daemon.
struct Autorotate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "autorotate",
    abstract: localized("Automatic screen rotation. Key bindings: see `man autorotate`."),
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: localized("Everyday"),
        subcommands: [
          StatusCommand.self, LockCommand.self, UnlockCommand.self, ToggleCommand.self, RotateCommand.self,
          HoldCommand.self, ReleaseCommand.self, PostureCommand.self, RequestCommand.self, QuitCommand.self,
        ]),
      CommandGroup(
        name: localized("Rules and settings"),
        subcommands: [RuleCommand.self, ConfigCommand.self, Check.self, WindowsCommand.self, Explain.self]),
      CommandGroup(
        name: localized("Diagnosis"), subcommands: [Doctor.self, Monitor.self, Record.self, Replay.self]),
      CommandGroup(
        name: localized("Setup"), subcommands: [Setup.self, Calibrate.self, TrayCommand.self, DaemonRun.self]),
    ])

  @OptionGroup(visibility: .hidden)
  var daemon: DaemonArguments

  mutating func run() throws { try daemon.run() }
}

/// The daemon by a name, so that its options have a help of their own.
struct DaemonRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon",
    abstract: localized("Run the daemon, as without a command."),
    discussion: localized("Options override config.toml."))

  @OptionGroup var daemon: DaemonArguments

  mutating func run() throws { try daemon.run() }
}

/// Which output: the daemon's instead of its panel, or that of one turn.
struct OutputOption: ParsableArguments {
  @Option(
    help: .said("Rotate this output instead of the built-in panel.", valueName: "name"), completion: .outputs)
  var output: String?
}
