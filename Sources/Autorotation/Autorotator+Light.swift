// SPDX-License-Identifier: MIT

// Dark is not a fault: what nobody can see is not turned, and has not failed.
extension Autorotator {
  /// Whether nobody can see the picture.
  var isDark: Bool {
    !isDisplayOn || !isSessionActive || isSuspended || panel == nil && !panels.isEmpty
  }

  /// Failures in the dark, or just before it was reported, are forgotten; in the light everything is tried again.
  mutating func lightChanged(at now: Instant, _ actions: inout [Action]) {
    turning.failure = nil
    // A finger that is lifted in the dark is not reported.
    touch = TouchGuard()
    guard isDark else {
      turning.litAt = now
      return
    }
    turning.wentDark = true
    if case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
  }
}
