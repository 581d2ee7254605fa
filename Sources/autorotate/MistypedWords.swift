// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration

/// Puts what was probably meant into what ArgumentParser writes, still in its own English.
enum MistypedWords {
  private static let invalid = ("Error: The value '", "' is invalid for '")
  private static let list = ". Please provide one of "
  private static let bullet = "  - "
  private static let unexpected = ["Error: Unexpected argument '", " unexpected arguments: '"]
  private static let helpOfWhole = "See 'autorotate --help'"

  /// What people type for a command of ours that goes by another name.
  private static let foreign = [
    "pause": "hold", "stop": "hold", "resume": "release", "continue": "release", "turn": "rotate",
    "toggle-lock": "toggle", "diagnose": "doctor", "why": "explain", "posture": "--posture",
    "version": "--version",
  ]

  static func guessed(in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return guessedValue(lines) ?? guessedCommand(lines, isOfWhole: text.contains(helpOfWhole)) ?? text
  }

  /// The one value that was meant, in place of the list of all.
  private static func guessedValue(_ lines: [String]) -> String? {
    guard let index = lines.firstIndex(where: { $0.hasPrefix(invalid.0) && $0.contains(list) }),
      let end = lines[index].firstRange(of: list),
      let word = lines[index].dropFirst(invalid.0.count).before(invalid.1)
    else { return nil }
    let bullets = lines[(index + 1)...].prefix { $0.hasPrefix(bullet) }
    let values =
      bullets.isEmpty
      ? String(lines[index][end.upperBound...]).quoted : bullets.map { String($0.dropFirst(bullet.count)) }
    guard let meant = MeantWord.among(values, by: word) else { return nil }
    var rest = lines
    rest.replaceSubrange(
      index...(index + bullets.count),
      with: ["\(lines[index][..<end.lowerBound]). Did you mean '\(meant)'?"])
    return rest.joined(separator: "\n")
  }

  private static func guessedCommand(_ lines: [String], isOfWhole: Bool) -> String? {
    guard isOfWhole, let first = lines.first,
      let start = unexpected.lazy.compactMap({ first.firstRange(of: $0)?.upperBound }).first,
      let word = first[start...].before("'"), let meant = command(by: word)
    else { return nil }
    let line = "Error: There is no command '\(word)'. Did you mean 'autorotate \(meant)'?"
    return ([line] + lines.dropFirst()).joined(separator: "\n")
  }

  private static func command(by word: String) -> String? {
    if let known = foreign[word.lowercased()] { return known }
    if RotateTarget(argument: word) != nil { return "rotate \(word)" }
    return MeantWord.among(Autorotate.configuration.subcommands.map { $0._commandName }, by: word)
  }
}

extension Substring {
  fileprivate func before(_ end: String) -> String? {
    firstRange(of: end).map { String(self[..<$0.lowerBound]) }
  }
}

extension String {
  /// All that stands between single quotes.
  fileprivate var quoted: [String] {
    split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
