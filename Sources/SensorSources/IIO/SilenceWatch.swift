// SPDX-License-Identifier: MIT

import System

/// Notices that another thread, from which word is expected, hangs.
final class SilenceWatch {
  /// Checked once in this time, in nanoseconds: often enough for a person who wonders, and a tenth of
  /// a wake-up a second. Two checks without a word between them are silence, so that a first check
  /// right after the device slept proves nothing.
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
