// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import System

/// Acts if it is not let go within a limit: for what is held up on the thread that would notice.
nonisolated package final class Watchdog: Sendable {
  private let isLetGo = DispatchSemaphore(value: 0)
  private let bitten = Mutex(false)

  /// - Parameters:
  ///   - seconds: by default what a test waits for anything.
  ///   - act: called once, on a thread of its own.
  package init(
    after seconds: Int = Int(EventLoop.limit / 1_000_000_000), _ act: @escaping @Sendable () -> Void
  ) {
    let thread = Thread { [isLetGo, weak self] in
      guard isLetGo.wait(timeout: .now() + .seconds(seconds)) == .timedOut else { return }
      self?.bitten.withLock { $0 = true }
      act()
    }
    thread.start()
  }

  deinit {
    letGo()
  }

  package func letGo() {
    isLetGo.signal()
  }

  /// Whether it has acted.
  package var hasActed: Bool { bitten.withLock(\.self) }
}
