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
    ],
    defaultSubcommand: DaemonRun.self)
}

struct DaemonRun: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "daemon", abstract: localized("Run the daemon; this is the default command."),
    discussion: localized("Options override config.toml."))

  @OptionGroup var source: SensorOption

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

  var options: DaemonOptions {
    DaemonOptions(
      sensor: source.sensor, backend: backend, output: display.output, panelMount: panelMount, wait: wait,
      greeter: greeter, unlessRunning: unlessRunning)
  }

  mutating func run() throws {
    throw try MainActor.assumeIsolated { [options] in try Daemon.run(options) }
  }
}

/// The source of sensor data: of the daemon or of `monitor`.
struct SensorOption: ParsableArguments {
  @Option(
    help: .localized("The source of sensor data.", valueName: "source"),
    completion: .list(["auto", "iio", "proxy", "replay:"]), transform: typed)
  var sensor: MachineSettings.SensorSource?

  func validate() throws {
    guard case .replay(let path) = sensor, access(path, R_OK) != 0 else { return }
    throw misuse("The trace \(path) cannot be read: \(String(cString: strerror(errno))).")
  }
}

/// The output: for the daemon instead of the panel, or for one rotation.
struct OutputOption: ParsableArguments {
  @Option(
    help: .localized("Rotate this output instead of the built-in panel.", valueName: "name"),
    completion: .outputs)
  var output: String?
}

/// Reads the value of an option.
/// - Throws: `ValidationError` with the valid values, which the parser does not list.
private func typed<Value: ExpressibleByArgument>(_ word: String) throws -> Value {
  if let value = Value(argument: word) { return value }
  throw misuse("Use one of: \(Value.allValueStrings.joined(separator: ", "))")
}
