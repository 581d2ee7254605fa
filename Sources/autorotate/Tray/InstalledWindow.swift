// SPDX-License-Identifier: MIT

import System

/// The window, autorotate-settings, which is a package of its own.
struct InstalledWindow {
  private static let name = "autorotate-settings"
  private let programs: ProgramSearch

  /// - Parameters:
  ///   - environment: looks a variable up.
  ///   - program: the path of this program, beside which it is looked for first.
  init(
    _ environment: (String) -> String? = Environment.variable, besides program: String? = Self.ownProgram
  ) {
    let own = program.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    programs = ProgramSearch(first: [own].compactMap(\.self), environment)
  }

  /// `nil` if it is not installed. It may come at any time.
  var path: String? { programs.path(of: Self.name) }

  private static var ownProgram: String? { SystemFile.realPath("/proc/self/exe") }
}
