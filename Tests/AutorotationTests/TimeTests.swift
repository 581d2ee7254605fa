// SPDX-License-Identifier: MIT

import Autorotation
import Testing

struct InstantTests {
  @Test func `sums saturate at the ends of time`() {
    #expect(Instant(nanoseconds: 5) + .nanoseconds(7) == Instant(nanoseconds: 12))
    #expect(Instant(nanoseconds: .max - 1) + .seconds(1) == .never)
    #expect(Instant.never + .seconds(1) == .never)
  }

  /// Before, the result was never: the wrong end of time.
  @Test func `a negative span saturates at the beginning`() {
    #expect(Instant(nanoseconds: .min + 1) + .seconds(-1) == Instant(nanoseconds: .min))
    #expect(Instant(nanoseconds: 0) + .seconds(-1) == Instant(nanoseconds: -1_000_000_000))
  }

  @Test func `seconds saturate as well`() {
    #expect(Instant(seconds: 2.5) == Instant(nanoseconds: 2_500_000_000))
    #expect(Instant(seconds: 1e300) == .never)
    #expect(Instant(seconds: .infinity) == .never)
    #expect(Instant(seconds: .nan) == .never)
    #expect(Instant(seconds: -.infinity) == Instant(nanoseconds: .min))
    #expect(Instant(seconds: 9_223_372_036.854_775_8) == .never)
  }

  @Test func `differences over all of time saturate`() {
    let first = Instant(nanoseconds: .min)
    #expect(Instant(seconds: 3).seconds(since: Instant(seconds: 1)) == 2)
    #expect(Instant(seconds: 1).seconds(since: Instant(seconds: 3)) == -2)
    #expect(Instant.never.seconds(since: first) == .infinity)
    #expect(first.seconds(since: .never) == -.infinity)
  }

  @Test func `durations become whole nanoseconds`() {
    #expect(Duration.milliseconds(1500).wholeNanoseconds == 1_500_000_000)
    #expect(Duration.milliseconds(-1500).wholeNanoseconds == -1_500_000_000)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).wholeNanoseconds == 0)
    #expect(
      Duration(secondsComponent: 1, attosecondsComponent: 999_999_999).wholeNanoseconds == 1_000_000_000)
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    #expect(
      Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_000_000_000)
        .wholeNanoseconds == .max)
  }
}
