// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import System

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

  // MARK: Options override the settings files

  /// Lists the hook directories, since the posture is needed if there are hooks for it.
  func settings(of configuration: Configuration) -> Settings {
    var settings = configuration.settings
    settings.output = outputs(of: configuration)
    settings.panelMount = panelMount ?? settings.panelMount
    let hasPostureHooks = configuration.machine.runsHooks && !HookFinder().hooks(.posture).isEmpty
    settings.watchesPosture = configuration.machine.hasTabletFeatures || hasPostureHooks
    settings.watchesShape = hasPostureHooks
    settings.faults = configuration.errors.map(\.headline)
    return settings
  }

  private func outputs(of configuration: Configuration) -> OutputChoice {
    output.map { OutputChoice([$0], isFromCommandLine: true) } ?? configuration.settings.output
  }

  /// The directories of settings. A login screen has no user.
  var directories: ConfigurationDirectories {
    let userVariables = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
    guard greeter else { return ConfigurationDirectories() }
    return ConfigurationDirectories { userVariables.contains($0) ? nil : Environment.variable($0) }
  }

  func displaySettings(of configuration: Configuration) -> DisplaySettings {
    let machine = configuration.machine
    return DisplaySettings(
      output: outputs(of: configuration), touchDevices: machine.touchDevices ?? [],
      ignoredDevices: machine.ignoredTouchDevices, touchMap: machine.touchMap, takesOver: machine.takesOver)
  }

  func sensorChoice(of configuration: Configuration) -> SensorChoice {
    let machine = configuration.machine
    return SensorChoice(source: sensor ?? machine.sensorSource, accelerometer: machine.accelerometer)
  }

  /// - Throws: `Message` if there is no desktop to connect to, or another daemon rotates it.
  @MainActor
  func makeBackend(loop: EventLoop, _ settings: DisplaySettings) throws -> any DesktopBackend {
    let kind = try backendKind()
    try DisplayLock.acquire(of: kind)
    return try kind.makeBackend(loop: loop, settings: settings, print: Console.print, note: Console.log)
  }

  /// The error to exit with without a backend.
  func ending(for error: any Error) -> any Error {
    switch error {
    case let taken as Message where taken.code == .alreadyRunning:
      unlessRunning ? ExitStatus.done : taken
    // systemd does not restart after `notPossible`, so only a permanent failure has that status.
    case let error as Message where error.code == .displaySilent: Message(.commandFailed, "\(error)")
    default: Message(.commandNotPossible, "\(error)")
    }
  }

  @MainActor
  private func backendKind() throws(Message) -> BackendKind {
    if case .kind(let kind) = backend { return kind }
    let session: SessionDescription = waits ? .adoptingOnlyCompositor() : .current()
    return try session.choice().kind
  }
}
