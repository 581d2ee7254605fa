// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What ArgumentParser writes around our words, in the person's language.
enum HelpText {
  private static let headings: [Phrase] = [
    "OVERVIEW: ", "USAGE: ", "Usage: ", "ARGUMENTS:", "OPTIONS:", "DAEMON OPTIONS:", "SUBCOMMANDS:",
    "Error: ",
  ]

  private static let explanations: [Phrase] = [
    "Show the version.", "Show help information.", "See 'autorotate help <subcommand>' for detailed help.",
  ]

  static func localized(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
      .joined(separator: "\n")
  }

  private static func line(_ line: String) -> String {
    if let phrase = headings.first(where: { line.hasPrefix($0.description) }) {
      return Language.localized(phrase) + line.dropFirst(phrase.description.count)
    }
    if let phrase = explanations.first(where: { line.hasSuffix(" \($0.description)") }) {
      return line.dropLast(phrase.description.count) + Language.localized(phrase)
    }
    return line
  }
}
