// SPDX-License-Identifier: MIT

/// A moment, in nanoseconds since an origin that is fixed for the life of the process.
///
/// The daemon uses `CLOCK_BOOTTIME`, which includes sleep: a lock for half an hour ends half an hour later even if the
/// lid was closed. Traces start at zero.
package struct Instant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package static let never = Self(nanoseconds: .max)

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Saturates at the ends of the range.
  package init(seconds: Double) {
    let nanoseconds = (seconds * 1e9).rounded()
    self.init(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
  }

  package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (instant: Self, span: Duration) -> Self {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.wholeNanoseconds)
    return overflow ? (span < .zero ? Self(nanoseconds: .min) : .never) : Self(nanoseconds: sum)
  }

  /// Saturates at the ends of the range.
  package func duration(since earlier: Self) -> Duration {
    .nanoseconds(Int64(clamping: Int128(nanoseconds) - Int128(earlier.nanoseconds)))
  }

  /// Seconds from `earlier` to this moment.
  package func seconds(since earlier: Self) -> Double {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return overflow ? (self < earlier ? -.infinity : .infinity) : Double(difference) / 1e9
  }
}

extension Duration {
  /// Clamped to what an `Int64` of nanoseconds holds, about 292 years.
  package var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
