// SPDX-License-Identifier: MIT

/// The delay before the next attempt, doubled each time. Nanoseconds.
struct Backoff {
  private var delay: Int64
  private let longest: Int64

  init(first: Int64 = 5_000_000_000, longest: Int64 = 300_000_000_000) {
    delay = first
    self.longest = longest
  }

  mutating func next(after now: Int64) -> Int64 {
    defer { delay = min(delay * 2, longest) }
    return now + delay
  }
}
