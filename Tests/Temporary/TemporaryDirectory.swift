// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A directory that is removed with its contents when this object is released, or at the end of the tests.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/autorotate-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    path = String(cString: made)
    Self.remaining.withLock { [path] in _ = $0.insert(path) }
  }

  deinit {
    Self.remaining.withLock { [path] in _ = $0.remove(path) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Those that are not released before the process ends.
  private static let remaining: Mutex<Set<String>> = {
    atexit {
      for path in TemporaryDirectory.remaining.withLock(\.self) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    return Mutex([])
  }()

  /// The path of an entry.
  package subscript(name: String) -> String { "\(path)/\(name)" }

  package func text(_ name: String) throws -> String {
    try String(contentsOfFile: self[name], encoding: .utf8)
  }

  /// Makes a directory in it, and its parents.
  package func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: true)
  }

  /// Makes a file in it, and its parent directories.
  package func write(_ text: String, to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try Data(text.utf8).write(to: URL(filePath: self[name]))
  }
}
