// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// Detects that the loop did not run for a while, so that queued messages may be old: the process was stopped (SIGSTOP,
/// Ctrl-Z), or the loop was blocked.
package final class StallWatch {
  /// Nanoseconds. Callers wait for at least half a second.
  private static let maximumStep: Int64 = 400_000_000

  private var source: EventSource?

  /// Must be created before a second thread starts, which would not inherit the signal mask.
  package init(loop: EventLoop, _ handler: @escaping () -> Void) throws {
    let source = try loop.onSignal(SIGCONT) { _ in handler() }
    // Handle it before the calls that have arrived: sd-event reads the signal together with them, and then `isDue` is false.
    let important = Int64(SD_EVENT_PRIORITY_IMPORTANT)
    try EventLoop.check(
      sd_event_source_set_priority(source.source, important), "sd_event_source_set_priority")
    try source.beforeWaiting { [weak loop] in
      guard let loop, EventLoop.now - loop.latestWakeUp > Self.maximumStep else { return }
      handler()
    }
    self.source = source
  }

  /// Whether the process was stopped, and the handler has not been called yet.
  static var isDue: Bool {
    var pending = sigset_t()
    return sigpending(&pending) == 0 && sigismember(&pending, SIGCONT) == 1
  }
}

extension EventLoop {
  /// Nanoseconds since boot; before the loop runs, the current time.
  fileprivate var latestWakeUp: Int64 {
    var microseconds: UInt64 = 0
    guard sd_event_now(event, clockid_t(CLOCK_BOOTTIME), &microseconds) == 0 else { return Self.now }
    return Int64(microseconds) * 1000
  }
}
