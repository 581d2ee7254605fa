// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import Waiting

/// The number of mutations of a test, and its report.
///
/// `AUTOROTATE_MUTATIONS=100000 swift test --filter MutationTests` tries more than the usual number, and
/// `AUTOROTATE_SEED` tries others; `Tests/Attack/attack files` sets both.
package struct MutationRun {
  package let count: Int
  package let seed: UInt64

  /// - Parameter usual: the number without `AUTOROTATE_MUTATIONS`.
  package init(usual: Int) {
    count = Self.variable("AUTOROTATE_MUTATIONS").flatMap { Int($0) } ?? usual
    seed = Self.variable("AUTOROTATE_SEED").flatMap { UInt64($0) } ?? 1
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Passes each mutation to a reader, and prints the count and the longest time.
  package func feed(_ seeds: [[UInt8]], tokens: [String], to read: ([UInt8]) throws -> Void) rethrows {
    var mutator = Mutator(seeds: seeds, tokens: tokens, state: seed)
    try feed { try read(mutator.next()) }
  }

  /// Runs the caller's own mutations.
  package func feed(_ once: () throws -> Void) rethrows {
    let clock = ContinuousClock()
    var slowest = Duration.zero
    let progress = Progress()
    let watchdog = Watchdog(after: limit) { [count, seed] in
      let number = progress.done.load(ordering: .relaxed)
      fatalError("mutation \(number) of \(count), of the seed \(seed), hangs")
    }
    let total = try clock.measure {
      for _ in 0..<count {
        slowest = max(slowest, try clock.measure(once))
        progress.done.add(1, ordering: .relaxed)
      }
    }
    watchdog.letGo()
    print("\(count) mutations in \(total), the slowest took \(slowest)")
  }

  /// Seconds for the whole run. One mutation takes milliseconds, so only a reader that hangs reaches the limit.
  private var limit: Int { max(600, count / 10) }

  private final class Progress: Sendable {
    let done = Atomic(0)
  }
}
