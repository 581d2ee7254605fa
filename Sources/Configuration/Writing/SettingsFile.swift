// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import SystemBus

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

  /// In one step: who reads meanwhile sees the old or the new, and a full disk loses nothing.
  /// - Throws: `SystemError`.
  package func write(_ bytes: [UInt8]) throws {
    // A link, as people have who keep their settings elsewhere, stays one.
    let target = Self.target(of: path)
    try Self.makeDirectories(above: target)
    let draft = target + ".new"
    try Self.write(bytes, to: draft, mode: Self.mode(of: target))
    guard rename(draft, target) == 0 else {
      let code = errno
      unlink(draft)
      throw SystemError(call: target, code: code)
    }
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

  private static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemError(call: path, code: errno) }
    defer { close(descriptor) }
    fchmod(descriptor, mode)
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw failure(path) }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
    guard fsync(descriptor) == 0 else { throw failure(path) }
  }

  private static func failure(_ path: String) -> SystemError {
    let code = errno
    unlink(path)
    return SystemError(call: path, code: code)
  }

  private static func makeDirectories(above path: String) throws {
    var directory = ""
    for part in path.split(separator: "/").dropLast() {
      directory += "/\(part)"
      guard mkdir(directory, 0o755) == 0 || errno == EEXIST || errno == EISDIR || access(directory, X_OK) == 0
      else { throw SystemError(call: directory, code: errno) }
    }
  }
}
