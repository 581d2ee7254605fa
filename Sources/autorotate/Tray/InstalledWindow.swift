// SPDX-License-Identifier: MIT

import System

/// The settings window, autorotate-settings, which is a separate package.
struct InstalledWindow {
  private static let name = "autorotate-settings"
  private let programs: ProgramSearch

  /// - Parameters:
  ///   - environment: looks up a variable.
  ///   - program: the path of this program; the window is searched for in the same directory first.
  init(
    _ environment: (String) -> String? = Environment.variable, besides program: String? = Environment.program
  ) {
    let own = program.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    programs = ProgramSearch(first: [own].compactMap(\.self), environment)
  }

  /// `nil` if it is not installed. It may be installed at any time.
  var path: String? { programs.path(of: Self.name) }
}
