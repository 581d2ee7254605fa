// SPDX-License-Identifier: MIT

import System

/// Remembers over a crash that GNOME's orientation lock was switched on here: a file that is there or not.
struct LockMemory {
  private static let name = "gnome-orientation-lock"

  private let file: StateFile

  /// - Parameters:
  ///   - directory: `nil` for `$XDG_STATE_HOME/autorotate`.
  ///   - variable: looks an environment variable up.
  init(
    directory: String? = nil,
    variable: (String) -> String? = Environment.variable
  ) {
    file =
      directory.map { StateFile(path: "\($0)/\(Self.name)") }
      ?? StateFile(.state, Self.name, variable: variable)
  }

  var isSet: Bool { file.isThere }

  func set() throws {
    try file.write("")
  }

  func forget() {
    try? file.remove()
  }
}
