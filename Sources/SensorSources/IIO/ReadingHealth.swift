// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Tells from the results of reads whether a sensor still works. Neither reads nor waits.
///
/// Moments are nanoseconds of any one clock.
nonisolated struct ReadingHealth {
  /// One failure is a hiccup (a sensor hub asleep); five in a row, half a second, are not.
  static let failuresUntilLost = 5

  /// Even a device lying on a table shows noise in the last bit of its sensor. Only sensors of 8 bits
  /// or less, or drivers that filter, repeat a value for longer; reopening those does no harm.
  static let unchangedUntilFrozen: Int64 = 60_000_000_000
  /// If the value is still the same after the sensor was reopened, the next attempt comes later each time.
  static let longestPatience: Int64 = 1_800_000_000_000

  static let shortestBackoff: Int64 = 1_000_000_000
  static let longestBackoff: Int64 = 30_000_000_000

  private(set) var failures = 0
  private var backoff = Self.shortestBackoff
  private var patience = Self.unchangedUntilFrozen
  private var value: Acceleration?
  private var unchangedSince: Int64 = 0

  /// - Returns: whether the value has been exactly the same for too long: open the sensor anew.
  mutating func hasRead(_ acceleration: Acceleration, at now: Int64) -> Bool {
    failures = 0
    backoff = Self.shortestBackoff
    guard acceleration == value else {
      if value != nil { patience = Self.unchangedUntilFrozen }
      value = acceleration
      unchangedSince = now
      return false
    }
    guard now - unchangedSince >= patience else { return false }
    unchangedSince = now
    patience = min(patience * 2, Self.longestPatience)
    return true
  }

  /// - Returns: whether the sensor is lost.
  mutating func hasFailed() -> Bool {
    failures += 1
    return failures >= Self.failuresUntilLost
  }

  /// Reading pauses, so the time that passes does not count.
  mutating func pause() {
    value = nil
  }

  /// - Returns: how long to wait until the sensor is looked for again; longer each time, until one
  ///   is read.
  mutating func nextBackoff() -> Int64 {
    failures = 0
    defer { backoff = min(backoff * 2, Self.longestBackoff) }
    return backoff
  }
}

/// Detects that another thread hangs, from which reports are expected.
final class SilenceWatch {
  /// The interval of checks, in nanoseconds: soon enough for a person who wonders, at a tenth of a wake-up per second.
  /// Silence is two checks without a report in between, since the first one may come right after the machine
  /// slept.
  static let stepNanoseconds: Int64 = 10_000_000_000

  private var timer: EventTimer?
  private var silentSteps = 0
  private let hasSign: () -> Bool
  private let onSilence: () -> Void

  /// - Parameter hasSign: whether there was another sign of life since it was asked last.
  init(loop: EventLoop, hasSign: @escaping () -> Bool, onSilence: @escaping () -> Void) throws {
    self.hasSign = hasSign
    self.onSilence = onSilence
    timer = try loop.timer { [weak self] in self?.check() }
  }

  var isExpecting = false {
    didSet {
      guard isExpecting != oldValue else { return }
      silentSteps = 0
      timer?.arm(at: isExpecting ? EventLoop.now + Self.stepNanoseconds : nil)
    }
  }

  func hear() {
    silentSteps = 0
  }

  private func check() {
    silentSteps = hasSign() ? 0 : silentSteps + 1
    guard silentSteps < 2 else {
      isExpecting = false
      onSilence()
      return
    }
    timer?.arm(at: EventLoop.now + Self.stepNanoseconds)
  }
}
