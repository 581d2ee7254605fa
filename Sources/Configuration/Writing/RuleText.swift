// SPDX-License-Identifier: MIT

import Autorotation

/// Creates and changes the text of a rule file, and the words of a command for it.
package enum RuleText {
  /// The application and the titles for a command.
  package static func arguments(_ application: String, _ titles: [String]) -> String {
    arguments(application, options: options(titles))
  }

  /// The application and the options for a command. Behind `--`, a name that begins with a dash is not an option.
  package static func arguments(_ application: String, options: String = "") -> String {
    let name = application.asArgument
    let words = application.beginsWithDash ? [options, "--", name] : [name, options]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  static func options(_ titles: [String]) -> String {
    titles.map { "--title\($0.beginsWithDash ? "=" : " ")\($0.asArgument)" }.joined(separator: " ")
  }

  /// - Parameters:
  ///   - bytes: the text so far; without keys for a new rule.
  ///   - old: the rule in it.
  /// - Returns: `nil` if the layout of the text cannot be changed safely.
  static func changed(_ bytes: [UInt8], from old: ApplicationRule, to new: ApplicationRule) -> [UInt8]? {
    var bytes = bytes
    for (before, after) in zip(literals(of: old), literals(of: new)) where before != after {
      // Each change moves the text after it.
      guard var text = TomlText(bytes) else { return nil }
      text.set(after.key, in: "", to: after.literal)
      bytes = text.bytes
    }
    return bytes
  }

  /// The value of each key that commands change; `nil` for a key that is not written.
  private static func literals(of rule: ApplicationRule) -> [(key: String, literal: String?)] {
    [
      ("match", names(rule.matches)), ("title", rule.titles.map(names)),
      ("fullscreen", rule.fullscreen.map { "\($0)" }), ("playing", rule.playing.map { "\($0)" }),
      ("supported", rule.supported.map { TomlLiteral.list($0.map(\.rawValue)) }),
      ("preferred", rule.preferred.map { TomlLiteral.text($0.word) }),
      ("auto-rotate", rule.autoRotate ? nil : "false"),
    ]
  }

  private static func names(_ names: [String]) -> String {
    names.count == 1 ? TomlLiteral.text(names[0]) : TomlLiteral.list(names)
  }
}

extension String {
  fileprivate var beginsWithDash: Bool { utf8.first == UInt8(ascii: "-") }
}
