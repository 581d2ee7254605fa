// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Keeps the lock over a restart: one word in `$XDG_STATE_HOME/autorotate/lock`.
struct SavedLock {
  private let file: StateFile

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = Environment.variable) {
    file = StateFile(.state, "lock", variable: environment)
  }

  /// - Returns: `nil` if nothing is saved, or nothing that makes sense.
  func load() -> InterfaceOrientation? {
    let saved = file.read()?.split(whereSeparator: \.isWhitespace).first
    return saved.flatMap { InterfaceOrientation(word: String($0)) }
  }

  /// - Parameter orientation: `nil` forgets.
  /// - Throws: `SystemError` if the file system does not let it.
  func save(_ orientation: InterfaceOrientation?) throws {
    guard let orientation else { return try file.remove() }
    try file.write(orientation.word + "\n")
  }
}
