// SPDX-License-Identifier: MIT

/// When to look whether outputs are off, or on again, where the compositor does not report it. Times are nanoseconds of
/// one clock.
///
///     on, left alone                    off                             touched, or seen again
///     |···1 min···look···1 min···look|looks for 5 s|··2 s··look··2 s··look|looks for 5 s|··2 s··look
nonisolated struct PowerSchedule: Equatable, Sendable {
  enum Watch: Sendable {
    case none, forOff, forOn
  }

  /// After a touch: a user who switches a screen on wonders after half a second.
  static let shortInterval: Int64 = 400_000_000
  /// How long after a touch.
  static let shortIntervals: Int64 = 5_000_000_000
  /// For a screen that a script switches on. Each look is a wake-up or two of a machine that should rest.
  static let steadyInterval: Int64 = 2_000_000_000
  /// What is spent on the sensor of a screen that nobody sees.
  static let longInterval: Int64 = 60_000_000_000

  private(set) var watch = Watch.none
  /// When to look next; `nil` for never.
  private(set) var next: Int64?
  /// Whether the compositor reports an output that is on again: then only a touch is a reason to look.
  var isReported = false {
    didSet {
      if isReported != oldValue, watch == .forOn { schedule(after: lastLook) }
    }
  }
  private var shortUntil: Int64 = 0
  private var lastLook: Int64 = 0

  /// - Parameter atOnce: whether the outputs may have been switched on while nothing was watched.
  mutating func start(_ watch: Watch, at now: Int64, atOnce: Bool = false) {
    self.watch = watch
    next = nil
    guard watch == .forOn else { return }
    if !isReported || atOnce { touched(at: now) }
    if atOnce { next = now }
  }

  /// The user has touched the machine.
  mutating func touched(at now: Int64) {
    next = watch == .forOn ? now + Self.shortInterval : nil
    shortUntil = now + Self.shortIntervals
    lastLook = now
  }

  /// The machine is left alone.
  mutating func leftAlone(at now: Int64) {
    if watch == .forOff { next = now }
  }

  mutating func looked(at now: Int64) {
    lastLook = now
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
