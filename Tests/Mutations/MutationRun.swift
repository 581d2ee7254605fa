// SPDX-License-Identifier: MIT

import Glibc

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

  /// Gives each mutation to a reader, prints the count and the longest time, and returns that time.
  @discardableResult
  package func feed(
    _ seeds: [[UInt8]], tokens: [String], to read: ([UInt8]) throws -> Void
  ) rethrows -> Duration {
    var mutator = Mutator(seeds: seeds, tokens: tokens, state: seed)
    return try time { try read(mutator.next()) }
  }

  /// The same with mutations of the caller's own.
  @discardableResult
  package func time(_ once: () throws -> Void) rethrows -> Duration {
    let clock = ContinuousClock()
    var slowest = Duration.zero
    let total = try clock.measure {
      for _ in 0..<count { slowest = max(slowest, try clock.measure(once)) }
    }
    print("\(count) mutations in \(total), the slowest took \(slowest)")
    return slowest
  }
}
