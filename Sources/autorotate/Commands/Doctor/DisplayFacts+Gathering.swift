// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import DesktopBackends

extension DisplayFacts {
  @MainActor
  static func gather(_ configuration: Configuration) -> Self {
    let choice = Result { () throws(Message) in try SessionDescription.current().choice() }
    return Self(
      choice: choice, inspection: inspect(choice, configuration),
      chosenOutput: configuration.settings.output,
      chosenMount: configuration.settings.panelMount)
  }

  @MainActor
  private static func inspect(
    _ choice: Result<BackendChoice, Message>, _ configuration: Configuration
  ) -> Result<DisplayInspection, Message> {
    choice.flatMap { choice in
      do {
        return .success(try choice.kind.inspect(configuration.displaySettings))
      } catch {
        return .failure(error as? Message ?? Message(.displayUnreachable, "\(error)"))
      }
    }
  }
}

extension Configuration {
  /// The display settings of the files.
  var displaySettings: DisplaySettings {
    DisplaySettings(
      output: settings.output, touchDevices: machine.touchDevices ?? [],
      ignoredDevices: machine.ignoredTouchDevices, touchMap: machine.touchMap,
      takesOver: machine.takesOver)
  }
}

extension DisplayInspection {
  /// The display of this session as it is now; `nil` if there is none, or it cannot be inspected.
  @MainActor
  static func ofThisSession(_ settings: DisplaySettings = DisplaySettings()) -> Self? {
    guard let choice = try? SessionDescription.current().choice() else { return nil }
    return try? choice.kind.inspect(settings)
  }
}
