// SPDX-License-Identifier: MIT

import Autorotation
import Glibc
import Language

/// Asks the user yes-or-no questions. The end of the input answers all later ones with no.
struct YesNoPrompt {
  private static let maximumLineLength = 1000

  let style = TerminalStyle(of: STDOUT_FILENO)
  private var hasEnded = false

  mutating func isYes(_ question: Phrase) -> Bool {
    guard !hasEnded else { return false }
    Console.write("\(style.shown(localized("\(question) [y/N]"))) ", to: STDOUT_FILENO)
    guard let answer = Self.line() else {
      hasEnded = true
      Console.print("")
      return false
    }
    let word = answer.lowercased().filter { !$0.isWhitespace }
    return ["y", "yes"].contains(word) || localized("y yes").split(separator: " ").contains { $0 == word }
  }

  /// Byte by byte, so that the input after the line stays unread. Input that ends without a newline is no answer.
  private static func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      guard byte != 0x0A else { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < maximumLineLength { bytes.append(byte) }
    }
  }
}
