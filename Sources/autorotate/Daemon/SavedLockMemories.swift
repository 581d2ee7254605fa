// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Keeps over a restart how the lock was left in each posture: a line for each in
/// `$XDG_STATE_HOME/autorotate/posture-locks`, such as "tablet left" or "laptop free".
struct SavedLockMemories {
  private static let free = "free"

  private let file: StateFile

  /// - Parameter environment: looks a variable up.
  init(environment: (String) -> String? = Environment.variable) {
    file = StateFile(.state, "posture-locks", variable: environment)
  }

  /// What makes no sense is left out.
  func load() -> [Posture: LockMemory] {
    let memories = file.lines.compactMap { line -> (Posture, LockMemory)? in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, let posture = Posture(rawValue: words[0]) else { return nil }
      if words[1] == Self.free { return (posture, .free) }
      return InterfaceOrientation(word: words[1]).map { (posture, .locked($0)) }
    }
    return Dictionary(memories) { _, last in last }
  }

  /// - Throws: `SystemError` if the file system does not let it.
  func save(_ memories: [Posture: LockMemory]) throws {
    let lines = memories.map { posture, memory in
      if case .locked(let orientation) = memory { return "\(posture.rawValue) \(orientation.word)" }
      return "\(posture.rawValue) \(Self.free)"
    }
    try file.write(lines: lines.sorted())
  }
}
