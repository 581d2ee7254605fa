// SPDX-License-Identifier: MIT

import Autorotation
import Configuration

/// What the daemon is told when it starts.
struct DaemonOptions: Equatable {
  var sensor: MachineSettings.SensorSource?
  var backend = BackendOption.auto
  /// Instead of the built-in panel.
  var output: String?
  var panelMount: PanelMount?
  var wait = false
  var greeter = false
  var unlessRunning = false

  /// At a login screen nobody is there to start it once more.
  var waits: Bool { wait || greeter }
}

extension DaemonOptions {
  /// As sessions and login screens start it. That needs no parser, which would leave 0.3 MB of its tables in memory for as
  /// long as the daemon runs.
  /// - Parameter words: of the command line, without the program's name.
  /// - Returns: `nil` if the parser has to read them.
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
