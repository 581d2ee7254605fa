// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// The daemon's options.
struct DaemonOptions: Equatable {
  var sensor: MachineSettings.SensorSource?
  var backend = BackendOption.auto
  /// Instead of the built-in panel.
  var output: String?
  var panelMount: PanelMount?
  var wait = false
  var greeter = false
  var unlessRunning = false

  /// At a login screen nobody can start it again.
  var waits: Bool { wait || greeter }
}

extension DaemonOptions {
  /// The options that sessions and login screens use. They need no parser, which would leave 0.3 MB of its tables in
  /// memory while the daemon runs.
  /// - Parameter words: the command line without the program's name.
  /// - Returns: `nil` if the parser must read them.
  init?(plainWords words: [String]) {
    self.init()
    for word in words {
      switch word {
      case "--wait": wait = true
      case "--greeter": greeter = true
      case "--unless-running": unlessRunning = true
      default: return nil
      }
    }
  }
}
