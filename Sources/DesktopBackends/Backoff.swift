// SPDX-License-Identifier: MIT

/// The delay before the next attempt, doubled each time. Nanoseconds.
struct Backoff {
  private static let longest: Int64 = 300_000_000_000
  private var delay: Int64 = 5_000_000_000

  mutating func next(after now: Int64) -> Int64 {
    defer { delay = min(delay * 2, Self.longest) }
    return now + delay
  }
}
