// SPDX-License-Identifier: MIT

import Glibc

/// Small files of the system, such as those in `/proc` and `/sys`, and what lies in a directory.
nonisolated package enum SystemFile {
  /// - Parameter mostBytes: what is behind these is left out.
  /// - Returns: `nil` if there is no such file, or it cannot be read.
  package static func text(of path: String, mostBytes: Int = 4096) -> String? {
    // Not to wait for somebody to write into a FIFO.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: mostBytes, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  package static func isFile(_ path: String) -> Bool {
    var file = stat()
    return stat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFREG
  }

  /// The first line, without its end.
  package static func line(of path: String) -> String? {
    text(of: path).map { String($0.prefix { $0 != "\n" }) }
  }

  /// The names in a directory, in no order; none if there is no such directory, or it cannot be read.
  package static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
