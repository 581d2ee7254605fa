// SPDX-License-Identifier: MIT

import Glibc

/// What the kernel counts of the thread that asks.
nonisolated enum ThreadUsage {
  /// `RUSAGE_THREAD`, which glibc's module hides, since it is Linux's own.
  private static let thread: __rusage_who_t = 1

  /// How often it has given up the processor to wait.
  static var waits: Int {
    var usage = rusage()
    getrusage(thread, &usage)
    return usage.ru_nvcsw
  }
}
