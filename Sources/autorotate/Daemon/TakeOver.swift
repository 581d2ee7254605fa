// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language

/// Writes `take-over = true` into the user's settings. The daemon then reads it like any other change.
@MainActor enum TakeOver {
  /// - Parameter path: of the user's config.toml; `nil` if there is no directory for it.
  /// - Returns: what was done, or what to do instead, for the log.
  static func write(to path: String? = ConfigurationDirectories().userSettings) -> String {
    guard let path else { return localized("\(byHand): set HOME or XDG_CONFIG_HOME") }
    let file = SettingsFile(path: path)
    do {
      let old = try file.found()
      let new = try SettingsEdit.setting(\.machine.takesOver, to: "true", in: old ?? [], path: path)
      try file.write(new, over: old)
      return localized("take-over = true was written to \(path), as you chose.")
    } catch let failure as SettingsEdit.Failure {
      return localized("\(byHand): \(Self.words(of: failure, path))")
    } catch {
      return localized("\(byHand): \(error)")
    }
  }

  private static let byHand: Phrase = "Write take-over = true under [display] in config.toml by hand"

  private static func words(of failure: SettingsEdit.Failure, _ path: String) -> Phrase {
    switch failure {
    case .broken, .mistaken: "\(path) has errors. See them with: autorotate check"
    case .unusual: "\(path) cannot be edited automatically because of its layout"
    }
  }
}
