// SPDX-License-Identifier: MIT

import Autorotation
import Configuration
import Language

/// Writes `take-over = true` into the person's settings, which the daemon then reads like any other change of them.
@MainActor enum TakeOver {
  /// - Parameter path: of the person's config.toml; `nil` where there is no place for one.
  /// - Returns: what was done, or what to do instead, for the log.
  static func write(to path: String? = ConfigurationDirectories().personalSettings) -> String {
    guard let path else { return localized("\(byHand): set HOME or XDG_CONFIG_HOME") }
    let file = SettingsFile(path: path)
    do {
      let old = try file.found()
      try file.write(SettingsEdit.settingTakeOver(in: old ?? [], path: path), over: old)
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
    case .broken, .mistaken: "\(path) has mistakes; see them with: autorotate check"
    case .unusual: "\(path) is laid out in a way that is better edited by hand"
    }
  }
}
