// SPDX-License-Identifier: MIT

import Glibc
import System

/// Finds the desktop files below a directory.
struct DesktopFileWalk {
  /// Takes the desktop file id, without `.desktop`, and the beginning of the file.
  let file: (String, UnsafeRawBufferPointer) -> Void
  /// Takes the path of each directory below, and tells whether to look into it.
  let directory: (String) -> Bool

  /// The largest on a usual machine, full of translations, have some 60 KiB; the group that counts is first.
  static let mostBytes = 256 * 1024
  /// Against links that lead in circles.
  private static let deepest = 8

  /// - Parameter prefix: of the ids: the directories between, with `-` for `/`.
  func walk(_ path: String, prefix: String = "", depth: Int = 0) {
    guard depth < Self.deepest else { return }
    for name in SystemFile.names(in: path) where !name.hasPrefix(".") {
      let below = "\(path)/\(name)"
      if name.hasSuffix(".desktop") {
        read(below, id: prefix + name.dropLast(".desktop".count))
      } else if Self.isDirectory(below), directory(below) {
        walk(below, prefix: "\(prefix)\(name)-", depth: depth + 1)
      }
    }
  }

  private func read(_ path: String, id: String) {
    // Not to wait for somebody to write into a FIFO.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let size = min(Int(status.st_size), Self.mostBytes)
    withUnsafeTemporaryAllocation(byteCount: max(size, 1), alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, size)
      file(id, UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)]))
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
