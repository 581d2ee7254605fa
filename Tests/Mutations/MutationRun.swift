// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import Waiting

/// How many mutations a test tries, and what it tells of them.
///
/// `AUTOROTATE_MUTATIONS=100000 swift test --filter MutationTests` tries more than the usual number, and
/// `AUTOROTATE_SEED` tries others; `Tests/Attack/attack files` sets both.
package struct MutationRun {
  package let count: Int
  package let seed: UInt64

  /// - Parameter usual: how many, if nobody says otherwise.
  package init(usual: Int) {
    count = Self.variable("AUTOROTATE_MUTATIONS").flatMap { Int($0) } ?? usual
    seed = Self.variable("AUTOROTATE_SEED").flatMap { UInt64($0) } ?? 1
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Gives each mutation to a reader, and prints the count and the longest time.
  package func feed(_ seeds: [[UInt8]], tokens: [String], to read: ([UInt8]) throws -> Void) rethrows {
    var mutator = Mutator(seeds: seeds, tokens: tokens, state: seed)
    try feed { try read(mutator.next()) }
  }

  /// The same with mutations of the caller's own.
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

  /// Seconds for the whole run, of which one mutation takes milliseconds: only a reader that hangs needs them all.
  private var limit: Int { max(600, count / 10) }

  private final class Progress: Sendable {
    let done = Atomic(0)
  }
}
