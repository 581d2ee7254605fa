// SPDX-License-Identifier: MIT

import System

/// A process from /proc.
struct RunningProcess {
  let id: Int32
  /// At most 15 characters of the program's name.
  let name: String

  static var all: [Self] {
    numbers.compactMap { id in
      SystemFile.line(of: "/proc/\(id)/comm").map { Self(id: id, name: $0) }
    }
  }

  private static var numbers: [Int32] { SystemFile.names(in: "/proc").compactMap { Int32($0) }.sorted() }

  /// The arguments of this user's processes outside of sandboxes. A process with another XDG_RUNTIME_DIR belongs to
  /// another session.
  static var ownCommandLines: [[String]] {
    let runtime = Environment.variable("XDG_RUNTIME_DIR").map { "XDG_RUNTIME_DIR=\($0)" }
    return numbers.filter(isOutsideSandboxes).compactMap { id in
      guard let variables = words(of: "/proc/\(id)/environ"), runtime.map(variables.contains) ?? true
      else { return nil }
      return words(of: "/proc/\(id)/cmdline")
    }
  }

  /// A program in a sandbox could choose its name and its arguments to pose as the compositor. The links of another
  /// user's processes cannot be read.
  private static func isOutsideSandboxes(_ id: Int32) -> Bool {
    ["mnt", "user", "pid"].allSatisfy { kind in
      SystemFile.linkTarget(of: "/proc/\(id)/ns/\(kind)")
        == SystemFile.linkTarget(of: "/proc/self/ns/\(kind)")
    }
  }

  /// `nil` for a process of another user.
  private static func words(of path: String) -> [String]? {
    SystemFile.text(of: path, maximumBytes: 65536)?.split(separator: "\0").map(String.init)
  }
}
