// SPDX-License-Identifier: MIT

import System

/// What the input devices that are disabled now were before, kept over a crash: a line for each in a file, which is
/// there only while there are any.
struct KeptInputStates {
  private let file: StateFile
  private let known: [String]
  private var words: [String: String] = [:]

  /// - Parameters:
  ///   - known: the words for what a device can be while it is not disabled, the usual one first.
  init(_ file: StateFile, known: [String]) {
    self.file = file
    self.known = known
    read()
  }

  subscript(identifier: String) -> String? { words[identifier] }

  var identifiers: [String] { words.keys.sorted() }

  mutating func keep(_ word: String, for identifier: String) {
    words[identifier] = known.contains(word) ? word : known[0]
    write()
  }

  mutating func forget(_ identifier: String) {
    guard words.removeValue(forKey: identifier) != nil else { return }
    write()
  }

  private mutating func read() {
    for line in file.lines {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, known.contains(parts[0]), Self.isAddressable(parts[1]) else { continue }
      words[parts[1]] = parts[0]
    }
  }

  /// Whether it may stand between quotation marks.
  nonisolated static func isAddressable(_ identifier: String) -> Bool {
    !identifier.contains { $0 == "\"" || $0 == "\\" || $0.isNewline }
  }

  /// Without such a file they are restored all the same, unless this process is killed.
  private func write() {
    try? file.write(lines: words.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
  }
}
