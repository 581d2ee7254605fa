// SPDX-License-Identifier: MIT

import Glibc

/// Finds programs: a name without a slash is searched for in the directories of PATH.
nonisolated package struct ProgramSearch {
  private let directories: [String]

  /// - Parameters:
  ///   - first: directories searched before those of PATH.
  ///   - environment: looks a variable up.
  package init(first: [String] = [], _ environment: (String) -> String? = Environment.variable) {
    let path = (environment("PATH") ?? "").split(separator: ":").map(String.init)
    directories = first + path.filter { $0.hasPrefix("/") }
  }

  /// `nil` if there is no such program that this user may run.
  package func path(of name: String) -> String? {
    let candidates = name.contains("/") ? [name] : directories.map { "\($0)/\(name)" }
    return candidates.first { SystemFile.isFile($0) && access($0, X_OK) == 0 }
  }
}
