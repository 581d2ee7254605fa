// SPDX-License-Identifier: MIT

import Glibc

/// The first line of one of the kernel's small files; `nil` if it cannot be read, or says nothing.
nonisolated func firstLine(of path: String) -> String? {
  guard let file = fopen(path, "re") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 4096)
  let count = fread(&bytes, 1, bytes.count, file)
  let line = bytes.prefix(count).prefix { $0 != 0x0A && $0 != 0 }
  return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
}
