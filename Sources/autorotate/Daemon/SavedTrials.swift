// SPDX-License-Identifier: MIT

import Autorotation
import DesktopBackends
import System

/// Keeps over a restart what each output has been seen to show: a line for each in
/// `$XDG_STATE_HOME/autorotate/shown`, such as "eDP-1 i915 normal left". What it showed with another driver counts
/// for nothing.
struct SavedTrials {
  private static let noDriver = "-"
  /// More are nobody's desk.
  private static let most = 64

  private let file: StateFile
  private let driver: (String) -> String?

  /// - Parameters:
  ///   - driver: of an output, by its name.
  ///   - environment: looks a variable up.
  init(
    driver: @escaping (String) -> String? = { GraphicsDriver.name(of: $0) },
    environment: (String) -> String? = Environment.variable
  ) {
    self.driver = driver
    file = StateFile(.state, "shown", variable: environment)
  }

  /// What makes no sense is left out.
  func load() -> [String: Set<InterfaceOrientation>] {
    let lines = file.lines.prefix(Self.most).compactMap { line -> (String, Set<InterfaceOrientation>)? in
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2, words[1] == word(for: words[0]) else { return nil }
      return (words[0].printable(), Set(words[2...].compactMap(InterfaceOrientation.init(word:))))
    }
    return Dictionary(lines) { _, last in last }
  }

  /// - Throws: `SystemError` if the file system does not let it.
  func save(_ shown: [String: Set<InterfaceOrientation>]) throws {
    let lines = shown.sorted { $0.key < $1.key }.prefix(Self.most).map { output, orientations in
      let words = InterfaceOrientation.allCases.filter(orientations.contains).map(\.word)
      return ([output, word(for: output)] + words).joined(separator: " ")
    }
    try file.write(lines: Array(lines))
  }

  private func word(for output: String) -> String {
    let name = driver(output) ?? ""
    return name.isEmpty || name.contains(" ") ? Self.noDriver : name
  }
}
