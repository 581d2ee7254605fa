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
  private static let helpOf = ("See 'autorotate ", "--help'")

  /// What people type for a command of ours that goes by another name.
  private static let foreign = [
    "pause": "hold", "stop": "quit", "exit": "quit", "end": "quit", "kill": "quit", "resume": "release",
    "continue": "release", "turn": "rotate",
    "toggle-lock": "toggle", "diagnose": "doctor", "why": "explain", "posture": "--posture",
    "version": "--version", "autostart": "setup --with-session on", "enable": "setup --with-session on",
    "disable": "setup --with-session off", "start": "setup",
  ]
  private static let foreignToRules = [
    "delete": "remove", "rm": "remove", "del": "remove", "disable": "off", "show": "list", "ls": "list",
    "new": "add", "set": "add", "create": "add", "change": "edit",
  ]
  private static let foreignToSettings = [
    "show": "list", "ls": "list", "write": "set", "change": "set", "edit": "set",
    "reset": "unset", "remove": "unset", "delete": "unset", "rm": "unset",
  ]
  private static let foreignToLock = [
    "off": "unlock", "no": "unlock", "false": "unlock", "on": "lock", "yes": "lock", "true": "lock",
    "toggle": "toggle",
  ]

  static func guessed(in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return guessedValue(lines) ?? guessedCommand(lines) ?? guessedTime(lines) ?? shortAnswer(lines) ?? text
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
    let start = lines[index][..<end.lowerBound]
    if let meant = MeantWord.among(values, by: word) ?? meantByLock(word, lines) ?? alike(word, values) {
      return "\(start). Did you mean '\(meant)'?"
    }
    let all = values.map { "'\($0)'" }
    return "\(start)\(list)\(all.dropLast().joined(separator: ", ")) or \(all.last ?? "")."
  }

  /// The only orientation that begins with the same two letters: "right" for "rite".
  private static func alike(_ word: String, _ values: [String]) -> String? {
    guard values.contains(InterfaceOrientation.normal.word), word.count > 2 else { return nil }
    let found = values.filter { $0.hasPrefix(word.lowercased().prefix(2)) }
    return found.count == 1 ? found[0] : nil
  }

  /// What is wrong with a time, without the usage of all that takes one.
  private static func shortAnswer(_ lines: [String]) -> String? {
    lines.first { $0.hasPrefix(invalid.0) && $0.contains("\(invalid.1)--for") }
  }

  private static func meantByLock(_ word: String, _ lines: [String]) -> String? {
    guard commandOfHelp(lines) == "lock" else { return nil }
    return foreignToLock[word.lowercased()].map { "autorotate \($0)" } ?? time(word)
  }

  /// A time without its option.
  private static func guessedTime(_ lines: [String]) -> String? {
    guard ["lock", "unlock"].contains(commandOfHelp(lines)), let word = unexpectedWords(lines).first,
      let meant = time(word)
    else { return nil }
    let line = "Error: Unexpected argument '\(word)'. Did you mean '\(meant)'?"
    return ([line] + lines.dropFirst()).joined(separator: "\n")
  }

  private static func time(_ word: String) -> String? {
    (try? LockDuration(words: word)).map { _ in "--for \(word)" }
  }

  private static func unexpectedWords(_ lines: [String]) -> [String] {
    guard let first = lines.first,
      let start = unexpected.lazy.compactMap({ first.firstRange(of: $0)?.upperBound }).first
    else { return [] }
    return "'\(first[start...])".quoted
  }

  private static func guessedCommand(_ lines: [String]) -> String? {
    let words = unexpectedWords(lines)
    guard let place = commandOfHelp(lines) else { return nil }
    guard let word = words.first, let meant = command(by: words, below: place) else { return nil }
    let line = "Error: There is no command '\(word)'. Did you mean 'autorotate \(meant)'?"
    return ([line] + lines.dropFirst()).joined(separator: "\n")
  }

  /// The command whose help is pointed to: empty for the whole.
  private static func commandOfHelp(_ lines: [String]) -> String? {
    lines.lazy.compactMap(commandOfHelp).first
  }

  private static func commandOfHelp(_ line: String) -> String? {
    guard let start = line.firstRange(of: helpOf.0)?.upperBound else { return nil }
    return line[start...].before(helpOf.1).map { String($0.prefix { $0 != " " }) }
  }

  private static func command(by words: [String], below place: String) -> String? {
    switch place {
    case "": words.first.flatMap(command)
    case "rule": ruleCommand(by: words)
    case "config": configCommand(by: words)
    default: nil
    }
  }

  private static func command(by word: String) -> String? {
    if let known = foreign[word.lowercased()] { return known }
    if RotateTarget(argument: word) != nil { return "rotate \(word)" }
    return nearest(to: word, in: Autorotate.configuration)
  }

  /// An application and what it may show is a rule to be added.
  private static func ruleCommand(by words: [String]) -> String? {
    if let meant = subcommand(by: words, foreignToRules, in: RuleCommand.configuration) {
      return "rule \(meant)"
    }
    guard let last = words.last, OrientationWord(rawValue: last) != nil else { return nil }
    return "rule add \(words.joined(separator: " "))"
  }

  /// A key alone is asked for, and one with a value is set.
  private static func configCommand(by words: [String]) -> String? {
    if let meant = subcommand(by: words, foreignToSettings, in: ConfigCommand.configuration) {
      return "config \(meant)"
    }
    guard let key = words.first, (try? SettingKey(named: key)) != nil else { return nil }
    return "config \(words.count > 1 ? "set" : "get") \(words.joined(separator: " "))"
  }

  private static func subcommand(
    by words: [String], _ foreign: [String: String], in command: CommandConfiguration
  ) -> String? {
    guard let word = words.first else { return nil }
    return foreign[word.lowercased()] ?? nearest(to: word, in: command)
  }

  private static func nearest(to word: String, in command: CommandConfiguration) -> String? {
    MeantWord.among(command.subcommands.map { $0._commandName }, by: word)
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
