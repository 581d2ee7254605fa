// SPDX-License-Identifier: MIT

import Autorotation

/// Creates and changes the text of a rule file, and the words of a command for it.
package enum RuleText {
  /// The application and the titles for a command.
  package static func arguments(_ application: String, _ titles: [String]) -> String {
    titles.isEmpty ? application.asArgument : "\(application.asArgument) \(options(titles))"
  }

  static func options(_ titles: [String]) -> String {
    titles.map { "--title \($0.asArgument)" }.joined(separator: " ")
  }

  /// - Parameters:
  ///   - bytes: the text so far; without keys for a new rule.
  ///   - old: the rule in it.
  /// - Returns: `nil` if the layout of the text cannot be changed safely.
  static func changed(
    _ bytes: [UInt8] = [], from old: ApplicationRule = ApplicationRule(source: "", matches: []),
    to new: ApplicationRule
  ) -> [UInt8]? {
    edited(bytes, assignments(from: old, to: new))
  }

  /// The new value of each changed key; `nil` to remove it.
  private static func assignments(
    from old: ApplicationRule, to new: ApplicationRule
  ) -> [(key: String, literal: String?)] {
    var all: [(key: String, literal: String?)] = []
    if old.matches != new.matches { all.append(("match", literal(new.matches))) }
    if old.titles != new.titles { all.append(("title", new.titles.map(literal))) }
    if old.fullscreen != new.fullscreen { all.append(("fullscreen", new.fullscreen.map { "\($0)" })) }
    if old.playing != new.playing { all.append(("playing", new.playing.map { "\($0)" })) }
    if old.supported != new.supported {
      all.append(("supported", new.supported.map { TomlLiteral.list($0.map(\.rawValue)) }))
    }
    if old.preferred != new.preferred {
      all.append(("preferred", new.preferred.map { TomlLiteral.text($0.word) }))
    }
    if old.autoRotate != new.autoRotate {
      all.append(("auto-rotate", new.autoRotate ? nil : "false"))
    }
    return all
  }

  private static func literal(_ names: [String]) -> String {
    names.count == 1 ? TomlLiteral.text(names[0]) : TomlLiteral.list(names)
  }

  /// Each change moves the text after it, so the text is parsed again between changes.
  private static func edited(_ bytes: [UInt8], _ assignments: [(key: String, literal: String?)]) -> [UInt8]? {
    var bytes = bytes
    for (key, literal) in assignments {
      guard let entries = try? TomlDocument.parse(bytes) else { return nil }
      var text = TomlText(bytes)
      if let literal {
        text.set(key, in: "", to: literal, entries)
      } else {
        text.remove(key, in: "", entries)
      }
      bytes = text.bytes
    }
    return bytes
  }
}

extension ApplicationRule {
  /// Whether both are equal except for their source.
  func hasSameEffect(as other: Self) -> Bool {
    var alike = other
    alike.source = source
    alike.layer = layer
    return alike == self
  }
}
