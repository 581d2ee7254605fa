// SPDX-License-Identifier: MIT

/// The state of applications that affects the screen orientation.
struct ApplicationState: Sendable {
  var focus = Focus()
  var windows = KnownWindows()
  var playback = Playback()
  var requests: [OrientationRequest] = []

  mutating func add(_ request: OrientationRequest) {
    requests.removeAll { $0.id == request.id }
    requests.append(request)
  }

  /// The requests whose application has focus, and those for any focus.
  var activeRequests: [OrientationRequest] { requests.filter { $0.applies(to: focus.window) } }
}

/// Debounces the active window: it is used once it has had focus for a moment.
///
///     alt-tab, alt-tab, alt-tab      A ─ B ─ C ─ D ▁▁▁ 150 ms ▁▁▁│ D
///     window manager between two     A ─ none ─ B ▁▁▁▁ 150 ms ▁▁▁│ B
///     menu, notification, dock       A ─ (ignored) ─ A
///
/// The first window is used at once, and rotations wait for it: a lock must not rotate the screen away from what the
/// focused application needs, and back.
struct Focus: Sendable {
  /// Long enough to ignore the gaps that window managers leave and a walk through the windows, too short to be noticed
  /// before a rotation, which itself takes longer.
  static let debounceTime = Duration.milliseconds(150)

  /// How long rotations wait for the first report. A desktop that does not know the active window reports at once; one
  /// that is still starting may take long.
  static let firstReportTimeout = Duration.seconds(1)

  /// The last reported window of an application, on a panel or elsewhere.
  private var latest: Window?
  private(set) var window: Window?
  /// The window before `window`, which has become `nil` since its output is no longer a panel; until the next change.
  private(set) var ignored: Window?
  private(set) var changesAt: Instant?
  private(set) var pending: Window?
  /// Until when rotations wait for the first report; `nil` before there is anything to rotate, and once it has come.
  private(set) var firstReportDue: Instant?
  private var isReported = false

  /// - Parameter window: the first one.
  init(on window: Window? = nil) {
    self.window = window
  }

  /// To be called when there is something to rotate.
  mutating func awaitFirstReport(from now: Instant) {
    guard !isReported, firstReportDue == nil else { return }
    firstReportDue = now + Self.firstReportTimeout
  }

  /// Adopts a new title at once if no rule distinguishes it from the last one, or if another change is pending: a title
  /// that changes all the time delays nothing. Other titles are debounced like a change of focus.
  mutating func updateTitle(of new: Window?, by rules: [ApplicationRule]) {
    guard let new else { return }
    pending = pending?.retitled(like: new, by: isRetitling ? rules : [])
    window = window?.retitled(like: new, by: rules)
  }

  /// Whether the pending window is the present one with another title.
  private var isRetitling: Bool { window.map { pending?.retitled(like: $0, by: []) == $0 } ?? false }

  /// - Parameter panels: the names of the outputs that rotate; windows elsewhere are ignored.
  /// - Returns: nothing; `update(at:)` returns the effect.
  mutating func move(to next: Window?, panels: [String], at now: Instant) {
    let isAwaited = firstReportDue.map { now <= $0 } ?? false
    isReported = true
    firstReportDue = nil
    if next?.role != .auxiliary { latest = next }
    select(next, panels: panels, at: now)
    if isAwaited, changesAt != nil { changesAt = now }
  }

  private mutating func select(_ next: Window?, panels: [String], at now: Instant) {
    guard let next else { return schedule(nil, at: now) }
    guard next.role == .application else {
      // It may follow a gap without a window.
      if pending == nil { changesAt = nil }
      return
    }
    guard Self.isOnAnotherOutput(next, than: panels) else { return schedule(next, at: now) }
    let decides = changesAt == nil ? window : pending
    if next.id == decides?.id {
      schedule(nil, at: now)
    }
  }

  /// Changes the panels: windows on other outputs are ignored from now on.
  mutating func setPanels(_ panels: [String], at now: Instant) {
    if Self.isOnAnotherOutput(pending, than: panels) { pending = nil }
    guard Self.isOnAnotherOutput(window, than: panels) else { return }
    ignored = window
    window = nil
    // The desktop may move it to a panel now.
    changesAt = changesAt ?? now + Self.debounceTime
  }

  /// The output of the focused window if it is none of the panels.
  func otherOutput(than panels: [String]) -> String? {
    Self.isOnAnotherOutput(latest, than: panels) ? latest?.output : nil
  }

  private static func isOnAnotherOutput(_ window: Window?, than panels: [String]) -> Bool {
    guard let output = window?.output, !panels.isEmpty else { return false }
    return !panels.contains(output)
  }

  /// - Returns: whether the debounced window has changed, beyond its title.
  mutating func update(at now: Instant) -> Bool {
    guard let due = changesAt, due <= now else { return false }
    changesAt = nil
    defer { (window, ignored) = (pending, nil) }
    return !isRetitling
  }

  private mutating func schedule(_ next: Window?, at now: Instant) {
    // A repeated report does not restart the wait.
    guard changesAt == nil || next != pending else { return }
    pending = next
    changesAt = next == window ? nil : now + Self.debounceTime
  }
}
