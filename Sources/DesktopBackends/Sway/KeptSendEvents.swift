// SPDX-License-Identifier: MIT

import Glibc

/// What `send_events` was of the devices that are disabled now, kept over a crash: a line for each in
/// `$XDG_RUNTIME_DIR/autorotate/sway-input`. There is such a file only while there are any.
struct KeptSendEvents {
  private let directory: String?
  private var words: [String: String] = [:]

  /// Longer ones are not ours.
  private static let mostBytes = 16384
  /// What libinput has.
  private static let known = ["enabled", "disabled_on_external_mouse"]

  /// - Parameter variable: looks an environment variable up.
  init(variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
    directory = variable("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? "\($0)/autorotate" : nil }
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

  private var path: String? { directory.map { "\($0)/sway-input" } }

  private mutating func read() {
    guard let path else { return }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
    let count = Glibc.read(file, &bytes, bytes.count)
    for line in String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2, Self.known.contains(parts[0]), SwayInput.isAddressable(parts[1]) else {
        continue
      }
      words[parts[1]] = parts[0]
    }
  }

  /// Without such a file they are restored all the same, unless this process is killed.
  private func write() {
    guard let directory, let path else { return }
    guard !words.isEmpty else {
      unlink(path)
      return
    }
    mkdir(directory, 0o700)
    let file = open("\(path).new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let lines = words.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }
    let bytes = Array(lines.joined().utf8)
    let written = Glibc.write(file, bytes, bytes.count)
    close(file)
    if written == bytes.count { rename("\(path).new", path) }
  }
}
