// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Configuration
import Glibc
import Language
import System

/// ArgumentParser's messages, adapted for printing. Nothing here depends on their wording.
enum ParserMessages {
  /// ArgumentParser wraps lines to the terminal's width, and crashes in a debug build if that is too narrow for words.
  private static let narrowest = 40

  /// Help, the version, or a script for a shell.
  static func answer(_ error: any Error) -> String {
    Autorotate.fullMessage(for: error, columns: columns(variable: Environment.variable("COLUMNS")))
  }

  /// The error in one sentence, and the next step.
  /// - Parameter words: the command line without the program's name.
  static func usageError(_ error: any Error, after words: [String]) -> String {
    "\(Autorotate.message(for: error))\n\(localized(nextStep(after: words)))"
  }

  /// The error in `help WORD`, for which the parser prints the general help.
  static func unknownCommand(after words: [String]) -> String? {
    guard words.first == "help" else { return nil }
    var commands = Autorotate.configuration.subcommands
    for word in words.dropFirst() where !word.hasPrefix("-") {
      guard let command = commands.first(where: { $0.isCalled(word) }) else {
        let fact = localized("There is no command “\(word.printable())”.")
        return "\(fact)\n\(localized(nextStep(after: Array(words.dropFirst()))))"
      }
      commands = command.configuration.subcommands
    }
    return nil
  }

  private static let versionWords = ["version"]

  private static func nextStep(after words: [String]) -> Phrase {
    if words == versionWords { return "Did you mean `autorotate --version`?" }
    var path = [Autorotate._commandName]
    var commands = Autorotate.configuration.subcommands
    // Commands were options in 0.1.0.
    if words.count == 1, words[0].hasPrefix("--"),
      let meant = WordSuggestion.among(commands.map { $0._commandName }, by: String(words[0].dropFirst(2)))
    {
      return "Did you mean `\((path + [meant]).joined(separator: " "))`?"
    }
    for word in words.prefix(while: { !$0.hasPrefix("-") }) where !commands.isEmpty {
      guard let command = commands.first(where: { $0.isCalled(word) }) else {
        let meant = WordSuggestion.among(commands.map { $0._commandName }, by: word)
        let rest = words.dropFirst(path.count).map { $0.printable() }
        return meant.map { "Did you mean `\((path + [$0] + rest).joined(separator: " "))`?" }
          ?? help(of: path)
      }
      path.append(word)
      commands = command.configuration.subcommands
    }
    return help(of: path)
  }

  private static func help(of path: [String]) -> Phrase { "See `\(path.joined(separator: " ")) --help`." }

  /// - Parameter variable: the value of COLUMNS.
  /// - Returns: `nil` where ArgumentParser finds the terminal's own width out, and that is wide enough.
  static func columns(variable: String?, output: Int32 = STDOUT_FILENO) -> Int? {
    guard let width = variable.flatMap({ Int($0) }) ?? TerminalStyle.columns(of: output) else { return nil }
    return width < narrowest ? narrowest : nil
  }
}

extension ParsableCommand {
  static func isCalled(_ word: String) -> Bool {
    _commandName == word || configuration.aliases.contains(word)
  }
}
