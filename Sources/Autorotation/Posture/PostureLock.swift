// SPDX-License-Identifier: MIT

/// What becomes of the lock when the device takes on a posture. The idea is Android's, which locks by device state.
package enum PostureLock: Equatable, Sendable {
  /// It stays as it is. A lock that a posture has set ends with that posture.
  case keep
  /// It ends.
  case free
  /// What is shown then is locked.
  case locked
  /// It is what it was when the device was in this posture last.
  case remember
  case to(InterfaceOrientation)
}

extension Settings {
  func lock(in posture: Posture) -> PostureLock {
    switch posture {
    case .tablet: tabletLock
    case .laptop: laptopLock
    case .docked: dockedLock
    case .unknown: .keep
    }
  }

  var locksByPosture: Bool { Posture.allCases.contains { lock(in: $0) != .keep } }
}

/// How the person left the lock in a posture.
package enum LockMemory: Equatable, Sendable {
  case free
  case locked(InterfaceOrientation)
}

extension Autorotator {
  /// Remembers the lock for when the device has this posture again. One with an end is not what the person left.
  mutating func rememberLock(_ actions: inout [Action]) {
    guard settings.lock(in: posture) == .remember, relock == nil, lock?.end == nil else { return }
    let memory = lock.map { LockMemory.locked($0.orientation) } ?? .free
    guard lockMemories[posture] != memory else { return }
    lockMemories[posture] = memory
    actions.append(.saveLockMemories(lockMemories))
  }

  /// To be called when the posture has changed, or what is to be done in it.
  mutating func obeyPostureLock(_ actions: inout [Action]) {
    if lock?.posture != nil || relock?.lock.posture != nil { endLock(&actions) }
    switch settings.lock(in: posture) {
    case .keep: break
    case .free: freeInPosture(&actions)
    case .locked: lockInPosture(to: turning.rotation?.to ?? shown, &actions)
    case .to(let orientation): lockInPosture(to: orientation, &actions)
    case .remember:
      switch lockMemories[posture] {
      case nil: break
      case .free: freeInPosture(&actions)
      case .locked(let orientation): lockInPosture(to: orientation, &actions)
      }
    }
  }

  private mutating func freeInPosture(_ actions: inout [Action]) {
    if lock != nil || relock != nil { endLock(&actions) }
  }

  private mutating func lockInPosture(to orientation: InterfaceOrientation, _ actions: inout [Action]) {
    set(Lock(orientation: orientation, posture: posture), &actions)
  }
}
