// SPDX-License-Identifier: MIT

import System

/// What `send_events` was of the devices that are disabled now, kept over a crash: a line for each in
/// `$XDG_RUNTIME_DIR/autorotate/sway-input`. There is such a file only while there are any.
struct KeptSendEvents {
  private let file: StateFile
  private var words: [String: String] = [:]

  /// What libinput has.
  private static let known = ["enabled", "disabled_on_external_mouse"]

  /// - Parameter variable: looks an environment variable up.
  init(variable: (String) -> String? = Environment.variable) {
    file = StateFile(.runtime, "sway-input", variable: variable)
    read()
  }

  subscript(identifier: String) -> String? { words[identifier] }

  var identifiers: [String] { words.keys.sorted() }

  mutating func keep(_ word: String, for identifier: String) {
    words[identifier] = Self.known.contains(word) ? word : "enabled"
    write()
  }

  mutating func forget(_ identifier: String) {
    guard words.removeValue(forKey: identifier) != nil else { return }
    write()
  }

  private mutating func read() {
    for line in file.lines {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, Self.known.contains(parts[0]), SwayInput.isAddressable(parts[1]) else {
        continue
      }
      words[parts[1]] = parts[0]
    }
  }

  /// Without such a file they are restored all the same, unless this process is killed.
  private func write() {
    try? file.write(lines: words.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })
  }
}
