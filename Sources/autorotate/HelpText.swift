// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation
import Glibc
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

  /// ArgumentParser breaks lines to the terminal's width, and has no room for words in less than this. Built for
  /// debugging, it crashes.
  private static let narrowest = 40

  static func message(for error: any Error) -> String {
    localized(
      Autorotate.fullMessage(
        for: error, columns: columns(said: getenv("COLUMNS").map { String(cString: $0) })))
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
      return Language.localized(phrase) + line.dropFirst(phrase.description.count)
    }
    if let phrase = explanations.first(where: { line.hasSuffix(" \($0.description)") }) {
      return line.dropLast(phrase.description.count) + Language.localized(phrase)
    }
    return line
  }
}
