// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// Lines for people and pipes, written unbuffered: a status bar needs them at once.
enum Console {
  static func say(_ text: String) {
    write(text + "\n", to: STDOUT_FILENO)
  }

  /// To standard error, with the program's name, as messages of programs are.
  static func complain(_ text: String) {
    write("autorotate: \(text)\n", to: STDERR_FILENO)
  }

  static func complain(_ message: Message) {
    complain(localized(message))
  }

  /// A failure to write is not an error: if the reader has gone, there is nobody to tell.
  /// - Returns: whether all of it was written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
  }
}
