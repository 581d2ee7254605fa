// SPDX-License-Identifier: MIT

import Glibc

/// A process that cannot be mistaken for a later one of the same number.
nonisolated package struct ProcessIdentity: Equatable, Sendable {
  package let process: Int32
  /// When it started, in the kernel's ticks since its own start.
  private let start: String

  /// - Returns: `nil` if there is no such process.
  package init?(of process: Int32) {
    // The name, in parentheses, may hold anything.
    guard process > 0, let stat = SystemFile.text(of: "/proc/\(process)/stat"),
      let nameEnd = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
    guard fields.count > 19 else { return nil }
    self.process = process
    start = String(fields[19])
  }

  /// - Parameter text: what `text` was; `nil` for anything else.
  package init?(text: some StringProtocol) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let process = Int32(words[0]), process > 1 else { return nil }
    self.process = process
    start = String(words[1])
  }

  /// For a file: "1234 567890".
  package var text: String { "\(process) \(start)" }

  package var isAlive: Bool { Self(of: process) == self }
}
