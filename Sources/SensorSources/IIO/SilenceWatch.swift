// SPDX-License-Identifier: MIT

import System

/// Detects that another thread hangs, from which reports are expected.
final class SilenceWatch {
  /// The interval of checks, in nanoseconds: soon enough for a person who wonders, at a tenth of a wake-up per second.
  /// Silence is two checks without a report in between, since the first one may come right after the machine
  /// slept.
  static let stepNanoseconds: Int64 = 10_000_000_000

  private var timer: EventTimer?
  private var silentSteps = 0
  private let onSilence: () -> Void

  init(loop: EventLoop, onSilence: @escaping () -> Void) throws {
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
    silentSteps += 1
    guard silentSteps < 2 else {
      isExpecting = false
      onSilence()
      return
    }
    timer?.arm(at: EventLoop.now + Self.stepNanoseconds)
  }
}
