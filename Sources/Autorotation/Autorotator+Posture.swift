// SPDX-License-Identifier: MIT

// The posture of the device, and its effects.
extension Autorotator {
  /// Whether the posture can have an effect now.
  package var needsPosture: Bool { usesPosture && !isInvisible }

  private var usesPosture: Bool {
    settings.rotateIn == .tablet || settings.watchesPosture || locking.current?.end == .unfolded
      || settings.locks.values.contains { $0 != .keep } || locking.lock?.posture != nil
      || settings.needsTabletShape || settings.rules.contains { $0.postures != nil }
  }

  /// Whether to measure the hinge, until the next event.
  package func hingeWatch(at now: Instant) -> HingeWatch {
    guard usesPosture, postureResolver.needsHinge(at: now) else { return .off }
    guard !isInvisible else { return .paused }
    return postureResolver.isLidClosed ? .lidClosed : .lidOpen
  }

  mutating func updatePosture(at now: Instant) {
    rememberLock()
    defer { rememberLock() }
    postureResolver.update(at: now)
    actions += postureResolver.newProblems(at: now).map { .report($0, of: nil) }
    changePosture(to: postureResolver.posture)
  }

  private mutating func changePosture(to new: Posture) {
    guard new != posture else { return }
    let wasTablet = posture.isTreatedAsTablet
    let hasSameLock = settings.lockPosture(of: posture) == settings.lockPosture(of: new)
    actions.append(.postureChanged(from: posture, to: new))
    posture = new
    if wasTablet != new.isTreatedAsTablet { choice.asked = nil }
    if wasTablet, !new.isTreatedAsTablet, locking.current?.end == .unfolded { endLock() }
    if !hasSameLock { applyPostureLock() }
  }
}

extension Autorotator {
  /// Remembers the lock for the next time in this posture. One with an end was not meant to last.
  mutating func rememberLock() {
    guard settings.lock(in: posture) == .remember, locking.relock == nil, locking.lock?.end == nil,
      locking.remember(in: lockPosture)
    else { return }
    actions.append(.savePostureLocks(locking.savedLocks))
  }

  /// To be called when the posture or its lock setting has changed.
  mutating func applyPostureLock() {
    if locking.current?.posture != nil { endLock() }
    let lock = settings.lock(in: posture)
    switch lock == .remember ? locking.savedLocks[lockPosture] ?? .keep : lock {
    case .keep, .remember: break
    case .free: if locking.current != nil { endLock() }
    case .locked: lockShown(posture: lockPosture)
    case .to(let orientation): set(Lock(orientation: orientation, posture: lockPosture))
    }
  }

  private var lockPosture: Posture { settings.lockPosture(of: posture) }
}
