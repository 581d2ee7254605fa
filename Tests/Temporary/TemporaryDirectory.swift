// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A directory of a test's own, which goes with all that is in it when this goes, or at the end of the tests.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/autorotate-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    path = String(cString: made)
    Self.left.withLock { [path] in _ = $0.insert(path) }
  }

  deinit {
    Self.left.withLock { [path] in _ = $0.remove(path) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Those whose owners are not let go before the process ends.
  private static let left: Mutex<Set<String>> = {
    atexit {
      for path in TemporaryDirectory.left.withLock(\.self) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    return Mutex([])
  }()

  /// The path of what lies in it.
  package subscript(name: String) -> String { "\(path)/\(name)" }

  package func text(_ name: String) throws -> String {
    try String(contentsOfFile: self[name], encoding: .utf8)
  }

  /// Makes one in it, and those above.
  package func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: true)
  }

  /// Makes a file in it, and the directories above.
  package func write(_ text: String, to name: String) throws {
    if let slash = name.lastIndex(of: "/") { try makeDirectory(String(name[..<slash])) }
    try Data(text.utf8).write(to: URL(filePath: self[name]))
  }
}
