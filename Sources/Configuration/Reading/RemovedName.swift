// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// A name that the previous release had: a key of config.toml, or an option of the command line.
///
/// For one release it has no effect, and gives one warning with the next step instead of an error. After that release
/// its row is deleted, and the name becomes unknown.
package struct RemovedName: Sendable {
  /// Each name ("section.key", or an option as typed), and the change.
  private static let table: KeyValuePairs<String, Phrase> = [
    "display.confirm": Phrase("rotations are no longer undone"),
    "touch.off-near-pen": Phrase("libinput 1.24 or later ignores touch near a pen"),
    "explain --pick": Phrase("see the names of all apps with `autorotate windows`"),
    "replay --judge": Self.replay, "replay --compare": Self.replay, "replay --plot": Self.replay,
    "replay --rule": Self.replay,
  ]

  private static let replay = Phrase(
    "replay prints the decisions; trace-classifier in Benchmarks compares rules")
  /// Options that took a value, which is ignored with them.
  private static let valued: Set = ["replay --plot", "replay --rule"]

  private let name: String
  private let change: Phrase

  /// - Parameter name: of a key with or without its section, as `SettingKey` accepts it, or a row's whole name.
  package init?(_ name: String) {
    let plain = SettingKey.plain(name)
    guard let row = Self.table.first(where: { $0.key == plain || $0.key.hasSuffix(".\(plain)") }) else {
      return nil
    }
    (self.name, change) = row
  }

  /// - Parameters:
  ///   - option: as typed, "--pick".
  ///   - command: the sub-command that had it.
  package init?(option: String, of command: String) { self.init("\(command) \(option)") }

  /// Whether the next word is its value.
  package var hasValue: Bool { Self.valued.contains(name) }

  /// For a command line that uses it.
  package var warning: String { localized("\(fact). Leave it out.") }

  /// For a command on this key: the diagnostic of the file that has it, or else a general warning.
  package func warning(in configuration: Configuration) -> String {
    let written = configuration.diagnostics.first { $0.message == fact }
    return written.map { "\($0)" } ?? warning
  }

  /// "display.confirm has been removed: rotations are no longer undone"
  var fact: Phrase { "\(name) has been removed: \(change)" }
}
