// SPDX-License-Identifier: MIT

import Autorotation

/// Makes and changes the text of a rule's file.
enum RuleText {
  /// - Parameter comments: what a file had that says nothing.
  static func new(_ rule: ApplicationRule, below comments: [UInt8] = []) -> [UInt8]? {
    let empty = ApplicationRule(source: "", matches: [])
    return edited(comments, assignments(from: empty, to: rule))
  }

  /// - Returns: `nil` if the text is laid out so that it cannot be changed safely.
  static func changed(_ bytes: [UInt8], from old: ApplicationRule, to new: ApplicationRule) -> [UInt8]? {
    edited(bytes, assignments(from: old, to: new))
  }

  /// Of each key that is to say something else, what it is to say; `nil` where it is to go.
  private static func assignments(
    from old: ApplicationRule, to new: ApplicationRule
  ) -> [(key: String, literal: String?)] {
    var all: [(key: String, literal: String?)] = []
    if old.matches != new.matches { all.append(("match", literal(new.matches))) }
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

  /// Each change moves what is behind it, so the text is read anew between them.
  private static func edited(
    _ bytes: [UInt8], _ assignments: [(key: String, literal: String?)]
  ) -> [UInt8]? {
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
