// SPDX-License-Identifier: MIT

import System

/// A process from /proc.
struct RunningProcess {
  let id: Int32
  /// At most 15 characters of the program's name.
  let name: String

  static var all: [Self] {
    SystemFile.names(in: "/proc").sorted().compactMap { entry in
      guard let id = Int32(entry), let name = SystemFile.line(of: "/proc/\(entry)/comm") else { return nil }
      return Self(id: id, name: name)
    }
  }

  /// The arguments of this user's processes. A process with another XDG_RUNTIME_DIR belongs to another session.
  static var ownCommandLines: [[String]] {
    let runtime = Environment.variable("XDG_RUNTIME_DIR").map { "XDG_RUNTIME_DIR=\($0)" }
    return SystemFile.names(in: "/proc").sorted().compactMap { entry in
      guard Int32(entry) != nil, let variables = words(of: "/proc/\(entry)/environ"),
        runtime.map(variables.contains) ?? true
      else { return nil }
      return words(of: "/proc/\(entry)/cmdline")
    }
  }

  /// `nil` for a process of another user.
  private static func words(of path: String) -> [String]? {
    SystemFile.text(of: path, maximumBytes: 65536)?.split(separator: "\0").map(String.init)
  }
}
