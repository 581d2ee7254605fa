// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc

/// What the daemon is told on the command line, as the parser reads it.
struct DaemonArguments: ParsableArguments {
  @Option(
    help: .said("Where accelerations come from.", valueName: "source"),
    completion: .list(["auto", "iio", "proxy", "replay:"]))
  var sensor: MachineSettings.SensorSource?

  @Option(
    help: .said("Which desktop this is; print only says what it would do.", valueName: "desktop"))
  var backend = BackendOption.auto

  @OptionGroup(title: "Daemon options")
  var display: OutputOption

  @Option(
    help: .said("How the panel is built in, if the system is wrong about it.", valueName: "mount"))
  var panelMount: PanelMount?

  @Flag(help: .said("Stay and wait if there is no sensor, or no display that turns."))
  var wait = false

  @Flag(
    help: .said(
      "Serve a login screen: the administrator's settings only, no hooks, nothing remembered."))
  var greeter = false

  @Flag(help: .said("Leave quietly, with status 0, if there is one that runs already."))
  var unlessRunning = false

  var output: String? { display.output }

  var options: DaemonOptions {
    DaemonOptions(
      sensor: sensor, backend: backend, output: output, panelMount: panelMount, wait: wait, greeter: greeter,
      unlessRunning: unlessRunning)
  }

  func validate() throws {
    guard case .replay(let path) = sensor, access(path, R_OK) != 0 else { return }
    throw misuse("The trace \(path) cannot be read: \(String(cString: strerror(errno))).")
  }
}
