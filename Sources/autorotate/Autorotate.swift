// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
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

  /// The command of a command line. Behind a sub-command, too, the parser reads the daemon's options as the daemon's;
  /// those that the sub-command would ignore are refused.
  /// - Parameter words: the command line without the program's name.
  static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let command = try parseAsRoot(words)
    let names = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    let read = DaemonArguments.namesRead(by: type(of: command)._commandName)
    let ignored = names.first { DaemonArguments.names.contains($0) && !read.contains($0) }
    guard let ignored else { return command }
    throw command is ConfigSet
      ? misuse("Put the whole value in quotes, since it contains \(ignored).")
      : misuse("\(ignored) is not an option of this command.")
  }
}

/// The daemon as a sub-command, so that its options have their own help.
struct DaemonRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: localized("Run the daemon; this is the default command."),
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

/// The daemon's options, as the parser reads them.
struct DaemonArguments: ParsableArguments {
  @Option(
    help: .localized("The source of sensor data.", valueName: "source"),
    completion: .list(["auto", "iio", "proxy", "replay:"]), transform: typed)
  var sensor: MachineSettings.SensorSource?

  @Option(
    help: .localized("The desktop; with print, rotations are only printed.", valueName: "desktop"),
    completion: .list(BackendOption.allValueStrings), transform: typed)
  var backend = BackendOption.auto

  @OptionGroup var display: OutputOption

  @Option(
    help: .localized(
      "The edge of the panel that is up when the device is upright, for a sensor in the casing's frame.",
      valueName: "mount"),
    completion: .list(PanelMount.allValueStrings), transform: typed)
  var panelMount: PanelMount?

  @Flag(help: .localized("Wait for a sensor and a display that can rotate."))
  var wait = false

  @Flag(help: .localized("Serve a login screen: system-wide settings, no hooks, no state."))
  var greeter = false

  @Flag(help: .localized("Exit with status 0 if a daemon runs already."))
  var unlessRunning = false

  /// The names of these options.
  static let names = [
    "--sensor", "--backend", "--output", "--panel-mount", "--wait", "--greeter", "--unless-running",
  ]

  /// - Parameter command: the name of a command.
  static func namesRead(by command: String) -> [String] {
    switch command {
    case Autorotate._commandName, DaemonRun._commandName, "help": names
    case RotateCommand._commandName: ["--output"]
    case Monitor._commandName: ["--sensor"]
    case Setup._commandName: ["--greeter"]
    default: []
    }
  }

  var output: String? { display.output }

  var options: DaemonOptions {
    DaemonOptions(
      sensor: sensor, backend: backend, output: output, panelMount: panelMount, wait: wait, greeter: greeter,
      unlessRunning: unlessRunning)
  }

  func run() throws {
    throw try MainActor.assumeIsolated { [options] in try Daemon.run(options) }
  }

  func validate() throws {
    guard case .replay(let path) = sensor, access(path, R_OK) != 0 else { return }
    throw misuse("The trace \(path) cannot be read: \(String(cString: strerror(errno))).")
  }
}

/// Reads the value of an option.
/// - Throws: `ValidationError` with the valid values, which the parser does not list.
private func typed<Value: ExpressibleByArgument>(_ word: String) throws -> Value {
  if let value = Value(argument: word) { return value }
  throw misuse("Use one of: \(Value.allValueStrings.joined(separator: ", "))")
}
