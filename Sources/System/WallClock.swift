// SPDX-License-Identifier: MIT

import CSystemd
import Glibc

/// The clock that users and time servers set, unlike that of `EventLoop.now`.
nonisolated package enum WallClock {
  /// Nanoseconds since 1970.
  package static var now: Int64 { EventLoop.nanoseconds(on: CLOCK_REALTIME) }
}

/// Reports when the wall clock is set. Causes no other wake-ups.
package final class WallClockWatch {
  private let descriptor: Int32
  private var source: EventSource?

  package init(loop: EventLoop, onSet: @escaping () -> Void) throws {
    let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError(call: "timerfd_create", code: errno) }
    self.descriptor = descriptor
    arm()
    source = try loop.watch(descriptor) { [weak self] in
      // Fails with ECANCELED; `arm` waits for the next time.
      var expirations: UInt64 = 0
      _ = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
      self?.arm()
      onSet()
    }
  }

  isolated deinit {
    source?.cancel()
    close(descriptor)
  }

  private func arm() {
    var never = itimerspec()
    never.it_value.tv_sec = .max
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &never, nil)
  }
}
