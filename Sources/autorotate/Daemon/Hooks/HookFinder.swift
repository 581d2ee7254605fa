// SPDX-License-Identifier: MIT

import Glibc
import System

/// Finds hooks in the user's directory, then in the administrator's. A hook overrides those of the same name in later
/// directories; an empty file or a link to /dev/null disables them.
struct HookFinder {
  /// The directories that contain `will-rotate.d` and the others, the user's first.
  let directories: [String]

  init(directories: [String]) {
    self.directories = directories
  }

  /// - Parameter environment: looks up a variable.
  init(environment: (String) -> String? = Environment.variable) {
    self.init(directories: BaseDirectories(environment).config.map { "\($0)/autorotate" })
  }

  /// The present hooks, in the order in which they run.
  func hooks(_ kind: HookKind) -> [Hook] {
    let layers = directories.map { directory in
      let path = "\(directory)/\(kind.rawValue)"
      return SystemFile.names(in: path).map { Hook(kind: kind, name: $0, path: "\(path)/\($0)") }
    }
    return Self.merge(layers).filter { !Self.isDisabled($0.path) }
  }

  /// The first hook of each name, sorted by the bytes of their names.
  static func merge(_ layers: [[Hook]]) -> [Hook] {
    var first: [String: Hook] = [:]
    for hook in layers.joined() where isHook(hook.name) && first[hook.name] == nil {
      first[hook.name] = hook
    }
    return first.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Editors and package managers leave copies, which must not run.
  static func isHook(_ name: String) -> Bool {
    let leftovers = ["~", ".bak", ".swp", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
    return !name.hasPrefix(".") && !name.hasPrefix("#") && !leftovers.contains { name.hasSuffix($0) }
  }

  private static func isDisabled(_ path: String) -> Bool {
    var file = stat()
    // If the file has gone, its start will fail and be reported.
    guard stat(path, &file) == 0 else { return false }
    return file.st_mode & S_IFMT != S_IFREG || file.st_size == 0
  }
}
