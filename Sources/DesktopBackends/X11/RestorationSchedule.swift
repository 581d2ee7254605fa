// SPDX-License-Identifier: MIT

import Autorotation

/// When to try again to light what a rotation has left off: at once after a change, else at growing intervals.
struct RestorationSchedule: Equatable {
  /// The last one repeats.
  static let intervals: [Duration] = [
    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(15),
  ]

  /// `nil` while nothing is off.
  private(set) var due: Instant?
  private(set) var failures = 0

  /// Something is off. It is tried at once, unless that has failed and is scheduled again.
  mutating func want(at now: Instant) {
    due = due ?? now
  }

  mutating func fail(at now: Instant) {
    due = now + Self.intervals[min(failures, Self.intervals.count - 1)]
    failures += 1
  }

  /// Something has changed, so that it may work now.
  mutating func hurry(at now: Instant) {
    if due != nil { due = now }
  }

  mutating func end() {
    self = Self()
  }

  func isDue(at now: Instant) -> Bool {
    due.map { $0 <= now } ?? false
  }
}
