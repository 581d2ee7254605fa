// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Which calls to iio-sensor-proxy are due, and when. Neither calls nor waits.
nonisolated struct ProxySchedule: Equatable {
  enum Action: Hashable {
    /// Read whether it has an accelerometer, and claim it.
    case check
    /// Read the orientation.
    case read
    /// Retry what has failed.
    case retry
  }

  /// udev notifies the proxy and us at the same time, in any order; a starting proxy needs half a second to examine a
  /// sensor.
  private static let checkDelays: [Duration] = [.milliseconds(500), .milliseconds(1500)]
  /// Until 3.5 the proxy shows the last claim's value for the 0.7 s until the first reading of this one.
  private static let staleTime = Duration.milliseconds(1000)

  private var checks: [Instant] = []
  var read: Instant?
  var retry: Instant?
  private var backoff = Backoff()

  var next: Instant? { (checks + [read, retry].compactMap { $0 }).min() }

  mutating func takeDue(at now: Instant) -> Set<Action> {
    var due: Set<Action> = []
    if checks.contains(where: { $0 <= now }) { due.insert(.check) }
    checks.removeAll { $0 <= now }
    if let read, read <= now { due.insert(.read) }
    if due.contains(.read) { read = nil }
    if let retry, retry <= now { due.insert(.retry) }
    if due.contains(.retry) { retry = nil }
    return due
  }

  /// The proxy may have another sensor soon.
  mutating func expectChange(at now: Instant) {
    checks = Self.checkDelays.map { now + $0 }
  }

  /// A proxy whose value may be stale has granted a claim.
  mutating func expectOrientation(at now: Instant) {
    read = min(read ?? .never, now + Self.staleTime)
  }

  mutating func fail(at now: Instant) {
    guard retry == nil else { return }
    retry = Instant(nanoseconds: backoff.next(after: now.nanoseconds))
  }

  mutating func succeed() {
    retry = nil
    backoff.reset()
  }
}
