// SPDX-License-Identifier: MIT

import Glibc

/// Where programs are: a name without a slash is looked up in the directories of PATH.
nonisolated package struct ProgramSearch {
  private let directories: [String]

  /// - Parameters:
  ///   - first: directories that are looked in before those of PATH.
  ///   - environment: looks a variable up.
  package init(first: [String] = [], _ environment: (String) -> String? = Environment.variable) {
    let path = (environment("PATH") ?? "").split(separator: ":").map(String.init)
    directories = first + path.filter { $0.hasPrefix("/") }
  }

  /// `nil` if there is none that this user may run.
  package func path(of name: String) -> String? {
    let candidates = name.contains("/") ? [name] : directories.map { "\($0)/\(name)" }
    return candidates.first { access($0, X_OK) == 0 }
  }
}
