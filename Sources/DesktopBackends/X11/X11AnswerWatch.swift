// SPDX-License-Identifier: MIT

import System

/// Tells when an X server has not answered for long, and when it does again.
final class X11AnswerWatch {
  /// The slowest drivers set a mode in a second or so; nanoseconds.
  static let patience: Int64 = 2_000_000_000

  private(set) var isAnswering = true
  /// Whether an answer is due.
  var isDue = false {
    didSet {
      guard isDue != oldValue else { return }
      timer?.arm(at: isDue ? EventLoop.now + Self.patience : nil)
      if !isDue, !isAnswering { tell(true) }
    }
  }

  private var timer: EventTimer?
  private let changed: (_ isAnswering: Bool) -> Void

  init(_ loop: EventLoop, changed: @escaping (_ isAnswering: Bool) -> Void) throws {
    self.changed = changed
    timer = try loop.timer { [weak self] in self?.tell(false) }
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }

  private func tell(_ isAnswering: Bool) {
    self.isAnswering = isAnswering
    changed(isAnswering)
  }
}
