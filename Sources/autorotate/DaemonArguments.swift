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
    help: .said("The desktop; print only prints what it would do.", valueName: "desktop"))
  var backend = BackendOption.auto

  @OptionGroup var display: OutputOption

  @Option(
    help: .said("How the panel is mounted, if the system is wrong.", valueName: "mount"))
  var panelMount: PanelMount?

  @Flag(help: .said("Wait for a sensor and a display that can rotate."))
  var wait = false

  @Flag(
    help: .said(
      "Serve a login screen: system-wide settings, no hooks, no state."))
  var greeter = false

  @Flag(help: .said("Exit with status 0 if a daemon runs already."))
  var unlessRunning = false

  var output: String? { display.output }

  var options: DaemonOptions {
    DaemonOptions(
      sensor: sensor, backend: backend, output: output, panelMount: panelMount, wait: wait, greeter: greeter,
      unlessRunning: unlessRunning)
  }

  func run() throws {
    let options = options
    let status = try MainActor.assumeIsolated { try Daemon.run(options) }
    guard status == .done else { throw status }
  }

  func validate() throws {
    guard case .replay(let path) = sensor, access(path, R_OK) != 0 else { return }
    throw misuse("The trace \(path) cannot be read: \(String(cString: strerror(errno))).")
  }
}
