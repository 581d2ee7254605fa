// SPDX-License-Identifier: MIT

import System

/// What KWin's own rotation was before we switched it off, kept over a crash: a line for each output in
/// `$XDG_STATE_HOME/autorotate/kwin-rotation`. There is such a file only while it is switched off.
struct KeptRotationPolicies {
  private let file: StateFile
  private var policies: [String: KWinRotationPolicy] = [:]

  init(variable: (String) -> String?) {
    file = StateFile(.state, "kwin-rotation", variable: variable)
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

  private mutating func read() {
    for line in (file.read() ?? "").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let policy = KWinRotationPolicy(word: words[1]) else { continue }
      policies[String(words[0])] = policy
    }
  }

  private func write() -> Bool {
    let lines = policies.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.word)\n" }
    do {
      try lines.isEmpty ? file.remove() : file.write(lines.joined())
    } catch {
      return false
    }
    return true
  }
}
