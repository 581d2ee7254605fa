// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The applications of this machine, by the names that rules may use.
package struct InstalledApplications {
  private let directories: [String]
  private let programs: ProgramSearch

  /// - Parameter variable: returns the value of an environment variable.
  package init(_ variable: (String) -> String? = Environment.variable) {
    directories = DesktopFiles.directories(variable: variable)
    programs = ProgramSearch(variable)
  }

  /// - Parameter name: one of an application's names, or a pattern.
  package func contain(_ name: String) -> Bool {
    isProgram(name) || isProgram(name.lowercased()) || directories.contains { isDeclared(name, in: $0) }
  }

  private func isProgram(_ name: String) -> Bool { !name.contains("/") && programs.path(of: name) != nil }

  private func isDeclared(_ name: String, in directory: String) -> Bool {
    var isFound = false
    DesktopFileWalk(
      file: { id, bytes in
        guard !isFound else { return }
        let file = DesktopFile(bytes)
        let names = [id, id.split(separator: ".").last.map(String.init), file.startupWMClass, file.program]
        isFound = names.contains { $0.map { ApplicationRule.pattern(name, matches: $0) } ?? false }
      },
      directory: { _ in !isFound }
    ).walk(directory)
    return isFound
  }
}
