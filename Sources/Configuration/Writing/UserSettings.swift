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
        let edit = Result { () throws(SettingsEdit.Failure) in
          try SettingsEdit.setting(key, to: words, in: new, path: path)
        }
        new = try edit.mapError { refusal($0, key, words) }.get()
      }
      if new != old ?? [], let error = directories.newErrors(path: path, kind: .settings, bytes: new).first {
        throw Message(mistaken: error, in: path)
      }
      return new
    }
  }

  private func refusal(_ failure: SettingsEdit.Failure, _ key: SettingKey, _ words: [String]?) -> Message {
    switch failure {
    case .broken(let diagnostics):
      let faults = diagnostics.map { "\($0)" }.joined(separator: "\n\n")
      return Message(.commandMistaken, "nothing was written: first fix this\n\n\(faults)")
    case .mistaken(let diagnostics):
      guard let first = diagnostics.first else { return unusual(key, words) }
      let mistake = Message(mistaken: first, in: path)
      if first.advice?.description.contains(key.example) == true, let command = key.exampleCommand {
        return Message(mistake.code, mistake.what, next: "as in: \(command)")
      }
      guard key.path == \Configuration.machine.touchMap else { return mistake }
      // It is typed in another form than in the file.
      return Message(
        mistake.code, mistake.what,
        next: "give a device and its output: autorotate config set touch.map '*RAYD0002*=eDP-2'")
    case .unusual: return unusual(key, words)
    }
  }

  private func unusual(_ key: SettingKey, _ words: [String]?) -> Message {
    Message(
      .commandFailed, "\(path.printable(limit: 1000)) is laid out in a way that is better edited by hand",
      next: "under [\(key.section)], write a line such as \(line(key, words))")
  }

  /// The line that sets the key to the typed value; an example for removing it.
  private func line(_ key: SettingKey, _ words: [String]?) -> String {
    let literal = words.flatMap { try? TypedValue.literal($0, of: key, path: path) }
    return literal.map { "\(key.name) = \($0)" } ?? key.example
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
