// SPDX-License-Identifier: MIT

package import Autorotation
import System

/// Changes single settings in the user's config.toml.
package struct UserSettings {
  private let directories: ConfigurationDirectories
  package let path: String

  package init(_ directories: ConfigurationDirectories) throws(Message) {
    guard let path = directories.userSettings else { throw .noSettingsDirectory }
    self.directories = directories
    self.path = path
  }

  /// A setting and its value as typed; `nil` to remove it, so that the administrator's value or the default applies.
  package typealias Value = (key: SettingKey, words: [String]?)

  /// - Returns: whether that changes anything.
  package func set(_ key: SettingKey, to words: [String]?) throws(Message) -> Bool { try set([(key, words)]) }

  /// Like `set` of one, for several at once.
  package func set(_ values: [Value]) throws(Message) -> Bool {
    try SettingsFile(path: path).change { old throws(Message) in
      var new = old ?? []
      for (key, words) in values {
        new = try SettingsEdit(key: key, words: words, path: path).applied(to: new)
      }
      if new != old ?? [], let error = directories.newErrors(path: path, kind: .settings, bytes: new).first {
        throw Message(mistaken: error, in: path)
      }
      return new
    }
  }
}

extension Message {
  /// The diagnostic of `check`, in a sentence.
  /// - Parameter path: the file to be changed.
  init(mistaken diagnostic: Diagnostic, in path: String) {
    let place: Phrase = diagnostic.path == path ? "" : "\(diagnostic.position): "
    self.init(.commandMistaken, "\(place)\(diagnostic.message)", next: diagnostic.advice)
  }

  /// Neither HOME nor XDG_CONFIG_HOME is set.
  package static let noSettingsDirectory = Message(
    .commandFailed, "there is no directory for your settings", next: "set HOME or XDG_CONFIG_HOME")
}
