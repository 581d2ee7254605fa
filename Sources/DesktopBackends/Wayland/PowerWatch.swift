// SPDX-License-Identifier: MIT

import System

/// Checks whether outputs are off or on again, where the compositor does not report it: sway before 1.9, and labwc.
/// `PowerSchedule` determines when. Nothing is checked while the session is inactive.
final class PowerWatch {
  /// What to watch for.
  struct Interest: Equatable {
    /// An output is off, and may be switched on.
    var isOff = false
    /// Report when an output that is on goes off.
    var awaitsOff = false
    /// Whether the session is active and the machine awake.
    var isVisible = true

    fileprivate var watch: PowerSchedule.Watch {
      guard isVisible else { return .none }
      return isOff ? .forOn : awaitsOff ? .forOff : .none
    }
  }

  private let check: () -> Void
  private let activity: SeatActivity?
  private var timer: EventTimer?
  private var schedule = PowerSchedule()

  /// - Parameter check: reads the power of the outputs; its result is to be set in `interest`.
  init(_ connection: WaylandConnection, on loop: EventLoop, check: @escaping () -> Void) throws {
    self.check = check
    activity = SeatActivity(connection)
    timer = try loop.timer { [weak self] in self?.checkNow() }
  }

  var interest = Interest() {
    didSet {
      if interest.watch != oldValue.watch { start(atOnce: interest.isVisible && !oldValue.isVisible) }
    }
  }

  /// - Parameter isReported: whether the compositor reports an output that is switched on.
  func update(isReported: Bool) { change { $0.isReported = isReported } }

  private func start(atOnce: Bool) {
    change { $0.start(interest.watch, at: EventLoop.now, atOnce: atOnce) }
    guard let activity else { return }
    guard interest.watch != .none else { return activity.end() }
    let quiet = interest.watch == .forOn ? 1_000_000_000 : PowerSchedule.longInterval
    activity.begin(quietFor: quiet) { [weak self] isIdle in
      self?.change { isIdle ? $0.userIsIdle(at: EventLoop.now) : $0.userIsActive(at: EventLoop.now) }
    }
  }

  private func change(_ body: (inout PowerSchedule) -> Void) {
    let before = schedule
    body(&schedule)
    if schedule.next != before.next { timer?.arm(at: schedule.next) }
  }

  private func checkNow() {
    change { $0.checked(at: EventLoop.now) }
    check()
  }
}

/// When to check whether outputs are off, or on again, where the compositor does not report it. Times are nanoseconds
/// of one clock.
///
///     on, user idle                    off                                     user or session active again
///     |···1 min···check···1 min···check|checks for 5 s|··2 s··check··2 s··check|checks for 5 s|··2 s··check
nonisolated struct PowerSchedule: Equatable, Sendable {
  enum Watch: Sendable {
    case none, forOff, forOn
  }

  /// After user activity: a user who switches a screen on notices a delay after half a second.
  static let shortInterval: Int64 = 400_000_000
  /// How long after user activity.
  static let shortPhase: Int64 = 5_000_000_000
  /// For a screen that a script switches on. Each check wakes an idle machine once or twice.
  static let steadyInterval: Int64 = 2_000_000_000
  /// How long the sensor may stay on for a screen that is off.
  static let longInterval: Int64 = 60_000_000_000

  private(set) var watch = Watch.none
  /// The time of the next check; `nil` for never.
  private(set) var next: Int64?
  /// Whether the compositor reports an output that is on again: then checks follow user activity only.
  var isReported = false {
    didSet {
      if isReported != oldValue, watch == .forOn { schedule(after: lastCheck) }
    }
  }
  private var shortUntil: Int64 = 0
  private var lastCheck: Int64 = 0

  /// - Parameter atOnce: whether the outputs may have been switched on while nothing was checked.
  mutating func start(_ watch: Watch, at now: Int64, atOnce: Bool = false) {
    self.watch = watch
    next = nil
    guard watch == .forOn else { return }
    if !isReported || atOnce { userIsActive(at: now) }
    if atOnce { next = now }
  }

  mutating func userIsActive(at now: Int64) {
    next = watch == .forOn ? now + Self.shortInterval : nil
    shortUntil = now + Self.shortPhase
    lastCheck = now
  }

  mutating func userIsIdle(at now: Int64) {
    if watch == .forOff { next = now }
  }

  mutating func checked(at now: Int64) {
    lastCheck = now
    schedule(after: now)
  }

  private mutating func schedule(after now: Int64) {
    switch watch {
    case .none: next = nil
    case .forOff: next = now + Self.longInterval
    case .forOn where now < shortUntil: next = now + Self.shortInterval
    case .forOn: next = isReported ? nil : now + Self.steadyInterval
    }
  }
}
