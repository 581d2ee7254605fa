// SPDX-License-Identifier: MIT

import Glibc
import System

/// Looks for hooks: in the person's directory, then in the administrator's. A hook takes the place of
/// those of the same name that are farther away; an empty file, or a link to /dev/null, leaves it empty.
struct HookFinder {
  /// Those that hold `will-rotate.d` and `did-rotate.d`, the nearest first.
  let directories: [String]

  init(directories: [String]) {
    self.directories = directories
  }

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = Environment.variable) {
    self.init(directories: BaseDirectories(environment).config.map { "\($0)/autorotate" })
  }

  /// As they are now, in the order in which they run.
  func hooks(_ kind: HookKind) -> [Hook] {
    let layers = directories.map { directory in
      let path = "\(directory)/\(kind.rawValue)"
      return SystemFile.names(in: path).map { Hook(kind: kind, name: $0, path: "\(path)/\($0)") }
    }
    return Self.merge(layers).filter { !Self.isSwitchedOff($0.path) }
  }

  /// The nearest of each name, by the bytes of their names.
  static func merge(_ layers: [[Hook]]) -> [Hook] {
    var nearest: [String: Hook] = [:]
    for hook in layers.joined() where isHook(hook.name) && nearest[hook.name] == nil {
      nearest[hook.name] = hook
    }
    return nearest.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Editors and package managers leave copies, which would run as well.
  static func isHook(_ name: String) -> Bool {
    let leftovers = ["~", ".bak", ".swp", ".dpkg-old", ".dpkg-new", ".dpkg-dist", ".rpmsave", ".rpmnew"]
    return !name.hasPrefix(".") && !name.hasPrefix("#") && !leftovers.contains { name.hasSuffix($0) }
  }

  private static func isSwitchedOff(_ path: String) -> Bool {
    var file = stat()
    // One that has gone since will be missed when it is started.
    guard stat(path, &file) == 0 else { return false }
    return file.st_mode & S_IFMT != S_IFREG || file.st_size == 0
  }
}
