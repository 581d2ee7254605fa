// SPDX-License-Identifier: MIT

// Dark is not a fault: what nobody can see is not turned, and has not failed.
extension Autorotator {
  /// Whether nobody can see the picture.
  var isDark: Bool {
    !isDisplayOn || !isSessionActive || isSuspended || panel == nil && !panels.isEmpty
  }

  /// What was tried in the dark, or a moment before that was heard of, is forgotten; in the light all is tried anew.
  mutating func lightChanged(at now: Instant, _ actions: inout [Action]) {
    turning.failure = nil
    // A finger that goes up in the dark is never told.
    touch = TouchGuard()
    guard isDark else {
      turning.litAt = now
      return
    }
    turning.wentDark = true
    if case .preparing(let rotation, _) = turning.phase { abandon(rotation, &actions) }
  }
}
