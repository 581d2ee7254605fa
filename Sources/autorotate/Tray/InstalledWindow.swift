// SPDX-License-Identifier: MIT

import Glibc
import System

/// The window, autorotate-settings, which is a package of its own.
struct InstalledWindow {
  private static let name = "autorotate-settings"
  private let directories: [String]

  /// - Parameters:
  ///   - environment: looks a variable up.
  ///   - program: the path of this program, beside which it is looked for first.
  init(
    _ environment: (String) -> String? = Environment.variable, besides program: String? = Self.ownProgram
  ) {
    let own = program.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
    let path = (environment("PATH") ?? "").split(separator: ":").map(String.init)
    directories = [own].compactMap(\.self) + path.filter { $0.hasPrefix("/") }
  }

  /// `nil` if it is not installed. It may come at any time.
  var path: String? {
    directories.lazy.map { "\($0)/\(Self.name)" }.first { access($0, X_OK) == 0 }
  }

  private static var ownProgram: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
