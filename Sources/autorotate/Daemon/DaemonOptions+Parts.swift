// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import Glibc
import SensorSources
import SystemBus

extension DaemonOptions {
  var settings: Settings {
    var settings = Settings()
    settings.output = output
    settings.panelMount = panelMount
    return settings
  }

  @MainActor
  func makeSensor(loop: EventLoop) -> any SensorSource {
    switch sensor {
    case .auto, .iio: IIOAccelerometer(loop: loop, notice: Console.complain)
    case .replay(let path): ReplaySource(path: path, loop: loop, notice: Console.complain)
    }
  }

  /// - Throws: `Failure` if there is no display system to speak to.
  @MainActor
  func makeBackend(loop: EventLoop) throws -> any DesktopBackend {
    switch backend {
    case .print: return try PrintBackend(loop: loop, print: Console.say)
    case .auto, .x11:
      do {
        return try X11Backend(loop: loop, settings: X11Settings(output: output), note: Console.complain)
      } catch {
        throw Failure(.notPossible, "\(error)")
      }
    }
  }
}
