// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import System

extension ConfigurationDirectories {
  /// The person's config.toml, whether it is there or not; `nil` without a home.
  package var personalSettings: String? {
    all.first { $0.layer == .user }?.settings
  }
}

/// A file of settings on disk.
@MainActor
package struct SettingsFile {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// Empty if there is none.
  /// - Throws: `SystemError`.
  package func read() throws -> [UInt8] {
    guard let file = fopen(path, "re") else {
      if errno == ENOENT { return [] }
      throw SystemError(call: path, code: errno)
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: ReadFile.mostBytes + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0 else { throw SystemError(call: path, code: errno) }
    guard count <= ReadFile.mostBytes else { throw SystemError(call: path, code: EFBIG) }
    return Array(bytes.prefix(count))
  }

  /// Replaces the file atomically: readers see the old or the new one, and a full disk loses nothing.
  /// - Throws: `SystemError`.
  package func write(_ bytes: [UInt8]) throws {
    // A symbolic link stays one, for people who keep their settings elsewhere.
    let target = Self.target(of: path)
    try SystemFile.makeDirectories(above: target, mode: 0o755)
    try SystemFile.replace(target, with: bytes, mode: Self.mode(of: target))
  }

  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func mode(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0o644
  }
}
