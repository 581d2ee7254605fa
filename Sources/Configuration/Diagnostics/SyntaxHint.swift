// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Hints for common mistakes in lines that are not TOML.
enum SyntaxHint {
  static func hint(for failure: TomlFailure, in line: [Unicode.Scalar]) -> Phrase {
    hint(forMessage: failure.message) ?? hint(forLine: line)
  }

  private static func hint(forMessage message: String) -> Phrase? {
    let hints: [(sign: String, hint: Phrase)] = [
      (sign: "utf-8", hint: "Save the file as UTF-8."),
      (sign: "more dots", hint: "Is it the right file?"),
      (sign: "cannot redefine", hint: "Each key and section may appear only once in a file: remove one."),
      (
        sign: "escape sequence", hint: "Write a backslash twice, or put the text in single quotes: 'C:\\mpv'."
      ),
      (
        sign: "expected comma or closing ']'",
        hint: "Write commas between the texts of a list, and a ] after the last."
      ),
    ]
    return hints.first { message.contains($0.sign) }?.hint
  }

  private static func hint(forLine line: [Unicode.Scalar]) -> Phrase {
    let text = String(String.UnicodeScalarView(line)).trimmed
    if text.unicodeScalars.contains(where: { "“”„‘’«»".unicodeScalars.contains($0) }) {
      return "Put straight quotes around text: \"landscape\"."
    }
    guard let equals = text.firstIndex(of: "=") else { return hintWithoutEquals(text) }
    let key = String(text[..<equals]).trimmed.quotable
    let value = text[text.index(after: equals)...].prefix { $0 != "#" }.trimmed
    return hint(key: key, value: value)
  }

  private static func hint(key: String, value: String) -> Phrase {
    switch value.lowercased() {
    case "": return "Write a value after the =, as in \(key) = \"normal\"."
    case "true", "yes", "on": return "Write \(key) = true."
    case "false", "no", "off": return "Write \(key) = false."
    case let word where isWord(word): return "Put quotes around text: \(key) = \"\(value.quotable)\"."
    case let list where list.hasPrefix("[") && !list.hasSuffix("]"):
      return "Close the list with a ], as in \(key) = [\"normal\", \"left\"]."
    case let list where list.hasPrefix("["):
      return "Put quotes around each text of a list, and commas between: \(key) = [\"normal\", \"left\"]."
    case let text where text.hasPrefix("\"") || text.hasPrefix("'"):
      return "Start and end text with the same quote, with nothing after it: \(key) = \"normal\"."
    default: return "Write one value per line, as in \(key) = \"normal\"."
    }
  }

  private static func hintWithoutEquals(_ text: String) -> Phrase {
    if text.hasPrefix("[") { return "Write a section's name in one pair of brackets, as in [desktop]." }
    if text.contains(":") { return "Write key = value, with = and not a colon." }
    return "Each line is key = value, [section], or a comment after #."
  }

  private static func isWord(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "-" || $0 == "_" || $0 == "." }
  }
}
