// SPDX-License-Identifier: MIT

import Autorotation
import Testing

/// Numbers in messages.
struct NumberTextTests {
  @Test(arguments: [
    (0, 0, "0"), (0, 2, "0.00"), (1.5, 2, "1.50"), (-1.5, 1, "-1.5"), (2.5, 0, "3"), (-3.4, 0, "-3"),
    (9.80665, 2, "9.81"), (0.07, 2, "0.07"), (1.25, 1, "1.3"),
    (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (12.345, 2, "12.35"), (-9.81, 3, "-9.810"), (0.007, 2, "0.01"),
    (12.05, 1, "12.1"), (-0.01, 2, "-0.01"),
    (-0.001, 2, "0.00"), (-0.4, 0, "0"), (1234.5678, 3, "1234.568"), (1e15, 2, "1000000000000000.0"),
    (-2e15, 0, "-2000000000000000.0"),
    (.infinity, 1, "inf"), (-.infinity, 1, "-inf"), (.nan, 1, "nan"),
  ])
  func `numbers are rounded to their digits`(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(number.text(decimals: decimals) == text)
  }

  @Test func `numbers in JSON have two decimals`() {
    #expect(
      [JSON.decimal(9.80665), .decimal(-0.5), .decimal(.nan)].map(\.description) == ["9.81", "-0.50", "null"])
  }
}
