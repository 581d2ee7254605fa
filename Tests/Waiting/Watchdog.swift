// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import System

/// Calls a function unless it is cancelled within a limit: for failures that block the thread that would notice.
nonisolated package final class Watchdog: Sendable {
  private let cancellation = DispatchSemaphore(value: 0)
  private let fired = Mutex(false)

  /// - Parameters:
  ///   - seconds: by default `EventLoop.limit`.
  ///   - act: called once, on a thread of its own.
  package init(
    after seconds: Int = Int(EventLoop.limit / 1_000_000_000), _ act: @escaping @Sendable () -> Void
  ) {
    let thread = Thread { [cancellation, weak self] in
      guard cancellation.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
      self?.fired.withLock { $0 = true }
      act()
    }
    thread.start()
  }

  deinit {
    letGo()
  }

  package func letGo() {
    cancellation.signal()
  }

  /// Whether it has acted.
  package var hasActed: Bool { fired.withLock(\.self) }
}
