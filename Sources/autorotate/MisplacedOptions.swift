// SPDX-License-Identifier: MIT

import ArgumentParser
import Autorotation

/// Options that ask something of the daemon, beside a word that asks nothing of it: the parser takes them in silently.
enum MisplacedOptions {
  private static let asking: Set = [
    "--lock", "--for", "--while", "--until-unfolded", "--unlock", "--toggle-lock", "--rotate", "--hold",
    "--release", "--posture", "--quit", "--status", "--follow", "--format",
  ]

  /// - Parameter words: what was typed, without the program's name.
  static func check(_ command: any ParsableCommand, _ words: [String]) throws {
    guard !(command is Autorotate), !(command is any Verb) else { return }
    let names = words.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
    guard let option = names.first(where: asking.contains) else { return }
    let word = type(of: command)._commandName
    throw misuse("\(option) does not go with \(word): leave it out, or use it by itself.")
  }
}
