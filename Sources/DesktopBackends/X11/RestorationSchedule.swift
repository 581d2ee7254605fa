// SPDX-License-Identifier: MIT

import Autorotation

/// When to try again to switch on what a rotation left off: at once after a change, else at growing intervals.
struct RestorationSchedule: Equatable {
  /// The last one repeats.
  static let intervals: [Duration] = [
    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15),
  ]

  /// `nil` while nothing is off.
  private(set) var due: Instant?
  private(set) var failures = 0

  /// Schedules the first attempt at once; does nothing if an attempt is already scheduled.
  mutating func start(at now: Instant) {
    due = due ?? now
  }

  mutating func fail(at now: Instant) {
    due = now + Self.intervals[min(failures, Self.intervals.count - 1)]
    failures += 1
  }

  /// To be called after a change that may help.
  mutating func retryNow(at now: Instant) {
    if due != nil { due = now }
  }

  mutating func end() {
    self = Self()
  }

  func isDue(at now: Instant) -> Bool {
    due.map { $0 <= now } ?? false
  }
}
