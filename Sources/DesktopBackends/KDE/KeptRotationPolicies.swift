// SPDX-License-Identifier: MIT

import Glibc

/// What KWin's own rotation was before we switched it off, kept over a crash: a line for each output in
/// `$XDG_STATE_HOME/autorotate/kwin-rotation`. There is such a file only while it is switched off.
struct KeptRotationPolicies {
  private let path: String?
  private var policies: [String: KWinRotationPolicy] = [:]

  /// Longer ones are not ours.
  private static let mostBytes = 4096

  init(variable: (String) -> String?) {
    path = Self.directory(variable).map { "\($0)/kwin-rotation" }
    read()
  }

  subscript(output: String) -> KWinRotationPolicy? { policies[output] }

  var outputs: [String] { policies.keys.sorted() }

  /// - Returns: whether it could be written, so that it outlives this process.
  mutating func keep(_ policy: KWinRotationPolicy, for output: String) -> Bool {
    policies[output] = policy
    return write()
  }

  mutating func forget(_ output: String) {
    guard policies.removeValue(forKey: output) != nil else { return }
    _ = write()
  }

  private static func directory(_ variable: (String) -> String?) -> String? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/autorotate" }
    return variable("HOME").map { "\($0)/.local/state/autorotate" }
  }

  private mutating func read() {
    guard let path else { return }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
    let count = Glibc.read(file, &bytes, bytes.count)
    for line in String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let policy = KWinRotationPolicy(word: words[1]) else { continue }
      policies[String(words[0])] = policy
    }
  }

  private func write() -> Bool {
    guard let path else { return false }
    guard !policies.isEmpty else { return unlink(path) == 0 }
    makeDirectories(above: path)
    let file = open("\(path).new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    let lines = policies.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.word)\n" }
    let bytes = Array(lines.joined().utf8)
    let written = Glibc.write(file, bytes, bytes.count)
    close(file)
    return written == bytes.count && rename("\(path).new", path) == 0
  }

  private func makeDirectories(above path: String) {
    let parts = path.split(separator: "/").dropLast()
    for count in parts.indices { mkdir("/" + parts[...count].joined(separator: "/"), 0o700) }
  }
}
