// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends
import Glibc

extension DisplayFacts {
  @MainActor
  static func look(_ configuration: Configuration) -> Self {
    let inspection = Result { () throws(Failure) in try inspect(configuration) }
    return Self(
      sessionType: variable("XDG_SESSION_TYPE"), waylandDisplay: variable("WAYLAND_DISPLAY"),
      x11Display: variable("DISPLAY"), inspection: inspection,
      chosenOutput: configuration.settings.output, chosenMount: configuration.settings.panelMount)
  }

  @MainActor
  private static func inspect(_ configuration: Configuration) throws(Failure) -> X11Inspection {
    let machine = configuration.machine
    let touch = DisplaySettings(
      output: configuration.settings.output, touchDevices: machine.touchDevices ?? [],
      ignoredDevices: machine.ignoredTouchDevices)
    do {
      return try X11Inspection.look(settings: touch)
    } catch {
      throw Failure(.notPossible, "\(error)")
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
