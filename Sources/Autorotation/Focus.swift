// SPDX-License-Identifier: MIT

/// The applications, as far as they matter to the screen's orientation.
struct ApplicationState: Sendable {
  var focus = Focus()
  var windows = KnownWindows()
  var playback = Playback()
  var requests: [OrientationRequest] = []

  mutating func add(_ request: OrientationRequest) {
    requests.removeAll { $0.id == request.id }
    requests.append(request)
  }

  /// The requests whose application has focus, and those that need none.
  var requestsInForce: [OrientationRequest] { requests.filter { $0.holds(before: focus.window) } }
  var requestsBehind: [OrientationRequest] { requests.filter { !$0.holds(before: focus.window) } }
}

/// The window that decides: the active one, once it has had focus for a moment.
///
///     alt-tab, alt-tab, alt-tab      A ─ B ─ C ─ D ▁▁▁ 150 ms ▁▁▁│ D
///     window manager between two     A ─ none ─ B ▁▁▁▁ 150 ms ▁▁▁│ B
///     menu, notification, dock       A ─ (not a window to go by) ─ A
///
/// The first window decides at once, and rotations wait for it: a lock must not rotate the screen away from what the
/// app in front needs, and back.
struct Focus: Sendable {
  /// Long enough to ignore the gaps that window managers leave and a walk through the windows, too short to be
  /// noticed before a turn, which itself takes longer.
  static let debounceTime = Duration.milliseconds(150)

  /// How long rotations wait for the first report. A desktop that does not know the active window reports at once; one
  /// that is still starting may take long.
  static let longestWaitForReport = Duration.seconds(1)

  /// The window that decides.
  private(set) var window: Window?
  private(set) var changesAt: Instant?
  private(set) var coming: Window?
  /// Until when rotations wait for the first report; `nil` before there is anything to rotate, and once it has come.
  private(set) var firstReportDue: Instant?
  private var isReported = false

  /// - Parameter window: the one that decides at first.
  init(on window: Window? = nil) {
    self.window = window
  }

  /// To be called when there is something to rotate.
  mutating func awaitFirstReport(from now: Instant) {
    guard !isReported, firstReportDue == nil else { return }
    firstReportDue = now + Self.longestWaitForReport
  }

  /// - Parameter panels: the names of the outputs that turn; windows elsewhere do not count.
  /// - Returns: nothing at once; `update(at:)` tells.
  mutating func move(to next: Window?, panels: [String], at now: Instant) {
    let isAwaited = firstReportDue.map { now <= $0 } ?? false
    isReported = true
    firstReportDue = nil
    settle(on: next, panels: panels, at: now)
    if isAwaited, changesAt != nil { changesAt = now }
  }

  private mutating func settle(on next: Window?, panels: [String], at now: Instant) {
    guard let next else { return schedule(nil, at: now) }
    guard next.role == .application else {
      // There may have been a gap before it.
      if coming == nil { changesAt = nil }
      return
    }
    guard Self.isElsewhere(next, than: panels) else { return schedule(next, at: now) }
    let decides = changesAt == nil ? window : coming
    if next.id == decides?.id {
      schedule(nil, at: now)
    }
  }

  /// From now on `panels` turn, and windows on other outputs do not count.
  mutating func turns(_ panels: [String]) {
    if Self.isElsewhere(window, than: panels) { window = nil }
    if Self.isElsewhere(coming, than: panels) { coming = nil }
  }

  private static func isElsewhere(_ window: Window?, than panels: [String]) -> Bool {
    guard let output = window?.output, !panels.isEmpty else { return false }
    return !panels.contains(output)
  }

  /// - Returns: whether the window that decides has changed.
  mutating func update(at now: Instant) -> Bool {
    guard let due = changesAt, due <= now else { return false }
    changesAt = nil
    window = coming
    return true
  }

  private mutating func schedule(_ next: Window?, at now: Instant) {
    // Repeated news does not restart the wait.
    guard changesAt == nil || next != coming else { return }
    coming = next
    changesAt = next == window ? nil : now + Self.debounceTime
  }
}
