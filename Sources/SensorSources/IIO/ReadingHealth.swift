// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Decides from the results of reads whether a sensor still works. Neither reads nor waits.
///
/// All times are in nanoseconds, of any one clock.
nonisolated struct ReadingHealth {
  /// A single failure is usual while a sensor hub wakes up; five in a row, half a second, are not.
  static let failuresUntilLost = 5
  /// A sensor hub may take this long to wake up, but not again and again. Nanoseconds.
  static let maximumReadTime: Int64 = 500_000_000

  /// Even on a table there is noise in the last bit of a sensor. Only sensors of 8 bits or less, or drivers
  /// that filter, repeat a value for longer; reopening those does no harm.
  static let unchangedUntilFrozen: Int64 = 60_000_000_000
  /// Limit of the interval between reopenings, which doubles while the value stays the same.
  static let maximumReopenInterval: Int64 = 1_800_000_000_000

  /// A longer time between two reads, such as one without demand, is not counted as unchanged.
  static let maximumGap: Int64 = 10_000_000_000

  private(set) var failures = 0
  private var backoff = Backoff(first: 1_000_000_000, longest: 30_000_000_000)
  private var reopenInterval = Self.unchangedUntilFrozen
  private var value: Acceleration?
  private var latestRead: Int64 = 0
  private var unchangedSince: Int64 = 0

  /// - Returns: whether the value has been exactly the same for too long, so that the sensor should be reopened.
  mutating func record(_ acceleration: Acceleration, at now: Int64) -> Bool {
    failures = 0
    backoff.reset()
    defer { (value, latestRead) = (acceleration, now) }
    if acceleration != value { reopenInterval = Self.unchangedUntilFrozen }
    if acceleration != value || now - latestRead > Self.maximumGap { unchangedSince = now }
    guard now - unchangedSince >= reopenInterval else { return false }
    unchangedSince = now
    reopenInterval = min(reopenInterval * 2, Self.maximumReopenInterval)
    return true
  }

  /// - Returns: whether the sensor is lost.
  mutating func recordFailure() -> Bool {
    failures += 1
    return failures >= Self.failuresUntilLost
  }

  /// - Returns: how long to wait until the next search for the sensor; longer each time, until one is read.
  mutating func nextBackoff() -> Int64 {
    failures = 0
    return backoff.next(after: 0)
  }
}

/// Detects that a thread hangs that should report.
final class SilenceWatch {
  /// A tenth of a wake-up per second. Nanoseconds.
  static let defaultStep: Int64 = 10_000_000_000

  private var timer: EventTimer?
  private var silentSteps = 0
  private let step: Int64
  private let hasProgress: () -> Bool
  private let onSilence: () -> Void

  /// - Parameters:
  ///   - step: between checks, in nanoseconds. Silence is two checks without a report in between, since the first may
  ///     come right after the machine slept.
  ///   - hasProgress: whether the thread has made progress since the last call.
  init(
    loop: EventLoop, step: Int64 = defaultStep, hasProgress: @escaping () -> Bool,
    onSilence: @escaping () -> Void
  ) throws {
    self.step = step
    self.hasProgress = hasProgress
    self.onSilence = onSilence
    timer = try loop.timer { [weak self] in self?.check() }
  }

  var expectsReports = false {
    didSet {
      guard expectsReports != oldValue else { return }
      silentSteps = 0
      timer?.arm(at: expectsReports ? EventLoop.now + step : nil)
    }
  }

  func noteReport() {
    silentSteps = 0
  }

  private func check() {
    silentSteps = hasProgress() ? 0 : silentSteps + 1
    guard silentSteps < 2 else {
      expectsReports = false
      return onSilence()
    }
    timer?.arm(at: EventLoop.now + step)
  }
}
