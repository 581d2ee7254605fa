// SPDX-License-Identifier: MIT

/// Which window the policy goes by: the active one, once the focus has stayed there for a moment.
///
///     alt-tab, alt-tab, alt-tab      A ─ B ─ C ─ D ▁▁▁ 150 ms ▁▁▁│ D
///     window manager between two     A ─ none ─ B ▁▁▁▁ 150 ms ▁▁▁│ B
///     menu, notification, dock       A ─ (not a window to go by) ─ A
struct Focus: Sendable {
  /// Long enough for the gaps that window managers leave and for switching through windows, too short
  /// to be noticed before a turn that itself takes longer.
  static let settleTime = Duration.milliseconds(150)

  /// The window that the policy goes by.
  private(set) var window: Window?
  private(set) var settlesAt: Instant?
  private var coming: Window?

  /// - Parameter window: the one to go by from the beginning.
  init(on window: Window? = nil) {
    self.window = window
  }

  /// - Parameter panel: the name of the output that turns; windows elsewhere do not count.
  /// - Returns: nothing at once; `settle(at:)` tells.
  mutating func move(to next: Window?, panel: String?, at now: Instant) {
    guard let next else { return settle(on: nil, at: now) }
    guard next.role == .application else {
      // On the way to it there may have been a gap.
      if coming == nil { settlesAt = nil }
      return
    }
    guard Self.isElsewhere(next, than: panel) else { return settle(on: next, at: now) }
    let decides = settlesAt == nil ? window : coming
    if next.id == decides?.id {
      settle(on: nil, at: now)
    }
  }

  /// Windows that are not on the output that turns from now on no longer count.
  mutating func turns(_ panel: String) {
    if Self.isElsewhere(window, than: panel) { window = nil }
    if Self.isElsewhere(coming, than: panel) { coming = nil }
  }

  private static func isElsewhere(_ window: Window?, than panel: String?) -> Bool {
    guard let output = window?.output, let panel else { return false }
    return output != panel
  }

  /// - Returns: whether the window that the policy goes by has changed.
  mutating func settle(at now: Instant) -> Bool {
    guard let due = settlesAt, due <= now else { return false }
    settlesAt = nil
    window = coming
    return true
  }

  private mutating func settle(on next: Window?, at now: Instant) {
    // The same news again does not start the wait anew.
    guard settlesAt == nil || next != coming else { return }
    coming = next
    settlesAt = next == window ? nil : now + Self.settleTime
  }
}
