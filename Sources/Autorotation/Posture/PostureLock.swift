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
  /// The posture whose lock counts: tent and stand are tablets until they have one of their own.
  func lockPosture(of posture: Posture) -> Posture {
    switch posture {
    case .tent where tentLock == nil, .stand where standLock == nil: .tablet
    default: posture
    }
  }

  func lock(in posture: Posture) -> PostureLock {
    switch posture {
    case .tablet: tabletLock
    case .tent: tentLock ?? tabletLock
    case .stand: standLock ?? tabletLock
    case .laptop: laptopLock
    case .docked: dockedLock
    case .unknown: .keep
    }
  }

  var locksByPosture: Bool { Posture.allCases.contains { lock(in: $0) != .keep } }

  /// Whether anything tells tent and stand from a tablet.
  var tellsShape: Bool {
    watchesShape || tentLock != nil || standLock != nil
      || rules.contains { $0.postures?.contains { $0 == .tent || $0 == .stand } ?? false }
  }
}

/// How the person left the lock in a posture.
package enum LockMemory: Equatable, Sendable {
  case free
  case locked(InterfaceOrientation)
}

extension Autorotator {
  /// Remembers the lock for when the device has this posture again. One with an end is not what the person left.
  mutating func rememberLock(_ actions: inout [Action]) {
    guard settings.lock(in: posture) == .remember, locking.relock == nil, locking.lock?.end == nil,
      locking.remember(in: lockPosture)
    else { return }
    actions.append(.saveLockMemories(locking.memories))
  }

  /// To be called when the posture has changed, or what is to be done in it.
  mutating func obeyPostureLock(_ actions: inout [Action]) {
    if locking.isOfPosture { endLock(&actions) }
    switch settings.lock(in: posture) {
    case .keep: break
    case .free: freeInPosture(&actions)
    case .locked: lockInPosture(to: upcoming, &actions)
    case .to(let orientation): lockInPosture(to: orientation, &actions)
    case .remember:
      switch locking.memories[lockPosture] {
      case nil: break
      case .free: freeInPosture(&actions)
      case .locked(let orientation): lockInPosture(to: orientation, &actions)
      }
    }
  }

  private var lockPosture: Posture { settings.lockPosture(of: posture) }

  private mutating func freeInPosture(_ actions: inout [Action]) {
    if locking.isSet { endLock(&actions) }
  }

  private mutating func lockInPosture(to orientation: InterfaceOrientation, _ actions: inout [Action]) {
    set(Lock(orientation: orientation, posture: lockPosture), &actions)
  }
}
