// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language
import System

/// Output for users and pipes, unbuffered: a status bar needs each line at once.
enum Console {
  static func print(_ text: String) {
    write(text + "\n", to: STDOUT_FILENO)
  }

  /// Writes to standard error, with the program's name.
  static func log(_ text: String) {
    write("autorotate: \(text)\n", to: STDERR_FILENO)
  }

  static func log(_ message: Message) {
    log(localized(message))
  }

  /// A failed write is ignored: if the reader has gone, nobody can be notified.
  /// - Returns: whether all of it was written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    (try? SystemFile.write(Array(text.utf8), to: descriptor, "output")) != nil
  }
}
