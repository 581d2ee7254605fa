// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc
import SystemBus

// What the command line says goes before what the files say.
extension DaemonOptions {
  func settings(of configuration: Configuration) -> Settings {
    var settings = configuration.settings
    settings.output = output ?? settings.output
    settings.panelMount = panelMount ?? settings.panelMount
    settings.watchesPosture = !configuration.tabletSettings.isNothing
    settings.faults = configuration.diagnostics.filter { $0.severity == .error }.map(\.headline)
    return settings
  }

  @MainActor
  func displaySettings(of configuration: Configuration) -> DisplaySettings {
    var display = configuration.displaySettings
    display.output = settings(of: configuration).output
    return display
  }

  func sensorChoice(of configuration: Configuration) -> SensorChoice {
    let machine = configuration.machine
    return SensorChoice(
      source: sensor ?? machine.sensorSource, mountMatrix: machine.mountMatrix, rate: machine.sensorRate)
  }

  /// - Throws: `Failure` if there is another daemon in this session; `ExitStatus.done` if that is as well.
  @MainActor
  func makeControl(loop: EventLoop) throws -> Control {
    do {
      return try Control(loop: loop)
    } catch let taken as NameTaken {
      throw unlessRunning ? ExitStatus.done : taken.failure as any Error
    }
  }

  /// - Throws: `Failure` if there is no desktop to speak to.
  @MainActor
  func makeBackend(loop: EventLoop) throws -> any DesktopBackend {
    do {
      return try backendKind().makeBackend(
        loop: loop, settings: DisplaySettings(output: output), say: Console.say, note: Console.complain)
    } catch {
      throw Failure(.notPossible, "\(error)")
    }
  }

  @MainActor
  private func backendKind() throws(NoBackend) -> BackendKind {
    switch backend {
    case .kind(let kind): kind
    case .auto: try SessionDescription.look().choice().kind
    }
  }
}
