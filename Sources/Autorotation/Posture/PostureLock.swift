// SPDX-License-Identifier: MIT

/// What happens to the lock when the device takes on a posture. The idea is Android's, which locks by device state.
package enum PostureLock: Equatable, Sendable {
  /// It is kept. A lock that a posture has set ends with that posture.
  case keep
  /// It is removed.
  case free
  /// The orientation shown then is locked.
  case locked
  /// The lock that the user left in this posture is restored.
  case remember
  case to(InterfaceOrientation)
}

extension Settings {
  /// The posture whose lock setting applies: that of tablet for a tent and a stand without their own.
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

  /// Whether anything distinguishes tent and stand from a tablet.
  var needsTabletShape: Bool {
    watchesShape || tentLock != nil || standLock != nil
      || rules.contains { $0.postures?.contains { $0 == .tent || $0 == .stand } ?? false }
  }
}

extension Autorotator {
  /// Remembers the lock for the next time in this posture. One with an end was not meant to last.
  mutating func rememberLock(_ actions: inout [Action]) {
    guard settings.lock(in: posture) == .remember, locking.relock == nil, locking.lock?.end == nil,
      locking.remember(in: lockPosture)
    else { return }
    actions.append(.saveLockMemories(locking.memories))
  }

  /// To be called when the posture or its lock setting has changed.
  mutating func applyPostureLock(_ actions: inout [Action]) {
    if locking.isOfPosture { endLock(&actions) }
    let lock = settings.lock(in: posture)
    switch lock == .remember ? locking.memories[lockPosture] ?? .keep : lock {
    case .keep, .remember: break
    case .free: if locking.isSet { endLock(&actions) }
    case .locked: lockInPosture(to: upcoming, &actions)
    case .to(let orientation): lockInPosture(to: orientation, &actions)
    }
  }

  private var lockPosture: Posture { settings.lockPosture(of: posture) }

  private mutating func lockInPosture(to orientation: InterfaceOrientation, _ actions: inout [Action]) {
    set(Lock(orientation: orientation, posture: lockPosture), &actions)
  }
}
