// SPDX-License-Identifier: MIT

import Autorotation
import Language

/// What the daemon remembers over its own end. What cannot be written is reported once.
@MainActor final class Memory {
  private let isKept: Bool
  private let lock = SavedLock()
  private let lockMemories = SavedLockMemories()
  private let turns = SavedTurns()
  private var complaints: Set<String> = []

  /// - Parameter isKept: whether there is any.
  init(isKept: Bool = true) {
    self.isKept = isKept
  }

  /// As it was left last time.
  var autorotator: Autorotator {
    guard isKept else { return Autorotator() }
    return Autorotator(lock: lock.load(), turns: turns.load(), memories: lockMemories.load())
  }

  /// - Returns: why a restart will bring back another lock; `nil` if it will not.
  func save(_ lock: InterfaceOrientation?) -> Message? {
    save(lock, with: self.lock.save) { error in
      lock == nil
        ? Phrase("The saved lock could not be deleted, so it applies again after a restart: \(error).")
        : Phrase("The lock is in effect, but will not survive a restart: \(error).")
    }
    .map { Message(.lockNotSaved, $0) }
  }

  func save(_ memories: [Posture: LockMemory]) {
    save(memories, with: lockMemories.save) { Phrase("The lock will not survive a restart: \($0)") }
  }

  func save(turns: [String: InterfaceOrientation]) {
    save(turns, with: self.turns.save) {
      Phrase("How the outputs are turned will not survive a restart: \($0)")
    }
  }

  @discardableResult
  private func save<Value>(
    _ value: Value, with write: (Value) throws -> Void, complaint: (any Error) -> Phrase
  ) -> Phrase? {
    guard isKept else { return nil }
    do {
      try write(value)
      return nil
    } catch {
      let phrase = complaint(error)
      let text = localized(phrase)
      if complaints.insert(text).inserted { Console.complain(text) }
      return phrase
    }
  }
}
