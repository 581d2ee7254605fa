// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// What the daemon remembers over its own end, in `$XDG_STATE_HOME/autorotate`. What cannot be written is reported once.
@MainActor final class Memory {
  private let isKept: Bool
  /// One word.
  private let lock: StateFile
  /// How the lock was left in each posture: "tablet left", "laptop free".
  private var lockMemories: StateTable<LockMemory>
  /// How monitors were rotated: "DP-1 left".
  private var turns: StateTable<InterfaceOrientation>
  private var complaints: Set<String> = []

  /// - Parameters:
  ///   - isKept: whether there is any.
  ///   - variable: looks an environment variable up.
  init(isKept: Bool = true, variable: (String) -> String? = Environment.variable) {
    self.isKept = isKept
    lock = StateFile(.state, "lock", variable: variable)
    lockMemories = StateTable(
      StateFile(.state, "posture-locks", variable: variable), value: LockMemory.init(word:), word: \.word)
    turns = StateTable(
      StateFile(.state, "outputs", variable: variable), value: InterfaceOrientation.init(word:), word: \.word)
  }

  /// As it was left last time.
  var autorotator: Autorotator {
    guard isKept else { return Autorotator() }
    let lock = lock.read()?.split(whereSeparator: \.isWhitespace).first
    let memories = lockMemories.values.compactMap { name, memory in
      Posture(rawValue: name).map { ($0, memory) }
    }
    return Autorotator(
      lock: lock.flatMap { InterfaceOrientation(word: String($0)) },
      rotatedOutputs: turns.values,
      memories: Dictionary(uniqueKeysWithValues: memories))
  }

  /// - Returns: why a restart will bring back another lock; `nil` if it will not.
  func save(_ orientation: InterfaceOrientation?) -> Message? {
    save { () throws(SystemError) in
      try lock.write(lines: orientation.map { [$0.word] } ?? [])
    } complaint: { error in
      orientation == nil
        ? Phrase("The saved lock could not be deleted, so it applies again after a restart: \(error).")
        : Phrase("The lock is in effect, but will not survive a restart: \(error).")
    }
    .map { Message(.lockNotSaved, $0) }
  }

  func save(_ memories: [Posture: LockMemory]) {
    let words = memories.map { ($0.rawValue, $1) }
    save { () throws(SystemError) in
      try lockMemories.keep(Dictionary(uniqueKeysWithValues: words))
    } complaint: {
      Phrase("The lock will not survive a restart: \($0)")
    }
  }

  func save(turns: [String: InterfaceOrientation]) {
    save { () throws(SystemError) in
      try self.turns.keep(turns)
    } complaint: {
      Phrase("How the outputs are turned will not survive a restart: \($0)")
    }
  }

  @discardableResult
  private func save(
    _ write: () throws(SystemError) -> Void, complaint: (SystemError) -> Phrase
  ) -> Phrase? {
    guard isKept else { return nil }
    do throws(SystemError) {
      try write()
      return nil
    } catch {
      let phrase = complaint(error)
      let text = localized(phrase)
      if complaints.insert(text).inserted { Console.complain(text) }
      return phrase
    }
  }
}

extension LockMemory {
  private static let freeWord = "free"

  fileprivate init?(word: String) {
    guard let memory = word == Self.freeWord ? .free : InterfaceOrientation(word: word).map(Self.locked)
    else { return nil }
    self = memory
  }

  fileprivate var word: String {
    if case .locked(let orientation) = self { orientation.word } else { Self.freeWord }
  }
}
