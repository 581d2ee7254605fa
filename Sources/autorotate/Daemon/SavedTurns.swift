// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Keeps how monitors were turned over a restart: a line for each in `$XDG_STATE_HOME/autorotate/outputs`, such as
/// "DP-1 left".
struct SavedTurns {
  private let file: StateFile
  /// More are nobody's desk.
  private static let most = 64

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = Environment.variable) {
    file = StateFile(.state, "outputs", variable: environment)
  }

  /// What makes no sense is left out.
  func load() -> [String: InterfaceOrientation] {
    let turns = file.lines.prefix(Self.most).compactMap { line -> (String, InterfaceOrientation)? in
      let words = line.split(separator: " ")
      guard words.count == 2, let orientation = InterfaceOrientation(word: String(words[1])) else {
        return nil
      }
      return (String(words[0]).printable(), orientation)
    }
    return Dictionary(turns) { _, last in last }
  }

  /// - Throws: `SystemError` if the file system does not let it.
  func save(_ turns: [String: InterfaceOrientation]) throws {
    try file.write(lines: turns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.word)" })
  }
}
