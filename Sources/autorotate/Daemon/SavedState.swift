// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// The state that the daemon keeps across restarts, in `$XDG_STATE_HOME/autorotate`. A failed write is reported once.
@MainActor final class SavedState {
  /// One word.
  private let lock: StateFile
  /// The last lock in each posture: "tablet left", "laptop free".
  private var postureLocks: StateTable<PostureLock>
  /// How monitors were rotated: "DP-1 left".
  private var rotations: StateTable<InterfaceOrientation>
  private var reportedFailures: Set<String> = []

  /// - Parameter variable: looks up an environment variable.
  init(variable: (String) -> String? = Environment.variable) {
    lock = StateFile(.state, "lock", variable: variable)
    postureLocks = StateTable(
      StateFile(.state, "posture-locks", variable: variable), value: PostureLock.init(word:), word: \.word)
    rotations = StateTable(
      StateFile(.state, "outputs", variable: variable), value: InterfaceOrientation.init(word:), word: \.word)
  }

  /// With the saved state.
  var autorotator: Autorotator {
    let lock = lock.read()?.split(whereSeparator: \.isWhitespace).first
    let locks = postureLocks.values.compactMap { name, lock in
      Posture(rawValue: name).map { ($0, lock) }
    }
    return Autorotator(
      lock: lock.flatMap { InterfaceOrientation(word: String($0)) }, rotatedOutputs: rotations.values,
      savedLocks: Dictionary(uniqueKeysWithValues: locks))
  }

  /// - Returns: why a restart will restore another lock; `nil` if it will not.
  func save(_ orientation: InterfaceOrientation?) -> Message? {
    do {
      try lock.write(lines: orientation.map { [$0.word] } ?? [])
      return nil
    } catch {
      let failure: Phrase =
        orientation == nil
        ? "The saved lock could not be deleted, so it applies again after a restart: \(error)."
        : "The lock is in effect, but will not survive a restart: \(error)."
      report(failure)
      return Message(.lockNotSaved, failure)
    }
  }

  func save(_ locks: [Posture: PostureLock]) {
    let words = Dictionary(uniqueKeysWithValues: locks.map { ($0.rawValue, $1) })
    do { try postureLocks.keep(words) } catch { report("The lock will not survive a restart: \(error)") }
  }

  func save(rotations: [String: InterfaceOrientation]) {
    do {
      try self.rotations.keep(rotations)
    } catch {
      report("The orientations of the outputs will not survive a restart: \(error)")
    }
  }

  private func report(_ failure: Phrase) {
    let text = localized(failure)
    if reportedFailures.insert(text).inserted { Console.log(text) }
  }
}

extension PostureLock {
  private static let freeWord = "free"

  fileprivate init?(word: String) {
    guard let lock = word == Self.freeWord ? .free : InterfaceOrientation(word: word).map(Self.to)
    else { return nil }
    self = lock
  }

  fileprivate var word: String {
    if case .to(let orientation) = self { orientation.word } else { Self.freeWord }
  }
}
