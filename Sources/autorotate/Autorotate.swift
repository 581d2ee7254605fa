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

/// The daemon as a sub-command, so that its options have their own help.
struct DaemonRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon",
    abstract: localized("Run the daemon; this is the default command."),
    discussion: localized("Options override config.toml."))

  @OptionGroup var daemon: DaemonArguments

  mutating func run() throws { try daemon.run() }
}

/// The output: for the daemon instead of the panel, or for one rotation.
struct OutputOption: ParsableArguments {
  @Option(
    help: .localized("Rotate this output instead of the built-in panel.", valueName: "name"),
    completion: .outputs)
  var output: String?
}
