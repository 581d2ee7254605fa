// SPDX-License-Identifier: MIT

// The shape of the device, and what follows from it.
extension Autorotator {
  /// Whether the posture could change anything now.
  package var needsPosture: Bool {
    let isAsked =
      settings.rotateIn == .tablet || settings.watchesPosture || locking.ending == .unfolded
      || settings.locksByPosture || locking.lock?.posture != nil || settings.tellsShape
      || settings.rules.contains { $0.postures != nil }
    return isAsked && !isDark
  }

  /// How the hinge is to be measured, until the next event.
  package func hingeWatch(at now: Instant) -> HingeWatch {
    guard needsPosture, postureJudge.needsHinge(at: now) else { return .off }
    return postureJudge.isLidClosed ? .lidClosed : .lidOpen
  }

  mutating func concludePosture(at now: Instant, _ actions: inout [Action]) {
    rememberLock(&actions)
    defer { rememberLock(&actions) }
    postureJudge.conclude(at: now)
    actions += postureJudge.complaints(at: now).map { .report($0, of: nil) }
    changePosture(to: postureJudge.posture, &actions)
  }

  private mutating func changePosture(to new: Posture, _ actions: inout [Action]) {
    guard new != posture else { return }
    let wasTablet = posture.countsAsTablet
    let locksAlike = settings.lockPosture(of: posture) == settings.lockPosture(of: new)
    actions.append(.postureChanged(from: posture, to: new))
    posture = new
    if wasTablet != new.countsAsTablet { choice.asked = nil }
    if wasTablet, !new.countsAsTablet, locking.ending == .unfolded { endLock(&actions) }
    if !locksAlike { obeyPostureLock(&actions) }
  }
}
