// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
import Language
import System

/// What ArgumentParser writes around our words, in the person's language.
enum HelpText {
  private static let headings: [Phrase] = [
    "OVERVIEW: ", "USAGE: ", "Usage: ", "ARGUMENTS:", "OPTIONS:", "DAEMON OPTIONS:", "SUBCOMMANDS:",
    "Error: ", "Help: ",
  ]

  /// In the brackets behind the help of an option.
  private static let labels: [Phrase] = ["values:", "default:", "default as flag:"]

  private static let explanations: [Phrase] = [
    "Show the version.", "Show help information.", "See 'autorotate help <subcommand>' for detailed help.",
  ]

  /// ArgumentParser's own sentences, which come as text: each as the phrase that says the same. Of two that fit, the
  /// first counts.
  private static let sentences: [@Sendable ([String]) -> Phrase] = [
    { "Unknown option '\($0[0])'. Did you mean '\($0[1])'?" },
    { "Unknown option '\($0[0])'" },
    { "Missing value for '\($0[0])'" },
    { "Missing expected argument '\($0[0])'" },
    { "The option '\($0[0])' does not take any value, but '\($0[1])' was specified." },
    { "There is no command '\($0[0])'. Did you mean '\($0[1])'?" },
    { "Unexpected argument '\($0[0])'. Did you mean '\($0[1])'?" },
    { "Unexpected argument '\($0[0])'" },
    { "\($0[0]) unexpected arguments: \($0[1])" },
    { "The value '\($0[0])' is invalid for '\($0[1])'. Did you mean '\($0[2])'?" },
    { "The value '\($0[0])' is invalid for '\($0[1])'. Please provide one of the following:" },
    { "The value '\($0[0])' is invalid for '\($0[1])'. Please provide one of \($0[2]) or \($0[3])." },
    { "The value '\($0[0])' is invalid for '\($0[1])': \($0[2])" },
    { "The value '\($0[0])' is invalid for '\($0[1])'" },
    { "See '\($0[0])' for more information." },
  ]
  private static let mostInserts = 4

  /// ArgumentParser breaks lines to the terminal's width, and has no room for words in less than this. Built for
  /// debugging, it crashes.
  private static let narrowest = 40

  static func message(for error: any Error) -> String {
    localized(
      MistypedWords.guessed(
        in: Autorotate.fullMessage(for: error, columns: columns(said: Environment.variable("COLUMNS")))))
  }

  /// - Parameter said: the value of COLUMNS.
  /// - Returns: `nil` where ArgumentParser finds the terminal's own width out, and that is wide enough.
  static func columns(said: String?, output: Int32 = STDOUT_FILENO) -> Int? {
    var size = winsize()
    let told = ioctl(output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    guard let width = said.flatMap({ Int($0) }) ?? told, width < narrowest else { return nil }
    return narrowest
  }

  static func localized(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
      .joined(separator: "\n")
  }

  private static func line(_ line: String) -> String {
    if let phrase = headings.first(where: { line.hasPrefix($0.description) }) {
      let rest = line.dropFirst(phrase.description.count)
      return Language.localized(phrase) + (sentence(rest) ?? String(rest))
    }
    if let phrase = explanations.first(where: { line.hasSuffix(" \($0.description)") }) {
      return line.dropLast(phrase.description.count) + Language.localized(phrase)
    }
    let margin = line.prefix { $0 == " " }
    return sentence(line.dropFirst(margin.count)).map { margin + $0 } ?? labelled(line)
  }

  private static func labelled(_ line: String) -> String {
    labels.reduce(line) { $0.replacing($1.description, with: Language.localized($1)) }
  }

  private static func sentence(_ text: Substring) -> String? {
    for phrase in sentences {
      guard let inserts = inserts(of: phrase, in: text) else { continue }
      let missing = Array(repeating: "", count: mostInserts - inserts.count)
      return Language.localized(phrase(inserts + missing))
    }
    return nil
  }

  /// - Returns: what the text has where the phrase has its inserts; `nil` if it says something else.
  private static func inserts(of phrase: ([String]) -> Phrase, in text: Substring) -> [String]? {
    let blank = phrase(Array(repeating: "\0", count: mostInserts)).description
    let pieces = blank.split(separator: "\0", omittingEmptySubsequences: false)
    guard let first = pieces.first, let last = pieces.last, text.hasPrefix(first), text.hasSuffix(last),
      text.count >= first.count + last.count
    else { return nil }
    var inserts: [String] = []
    var rest = text.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() {
      guard let place = rest.firstRange(of: piece) else { return nil }
      inserts.append(String(rest[..<place.lowerBound]))
      rest = rest[place.upperBound...]
    }
    return inserts + [String(rest)]
  }
}
