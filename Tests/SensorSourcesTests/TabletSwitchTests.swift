// SPDX-License-Identifier: MIT

import Testing

@testable import SensorSources

struct TabletSwitchTests {
  @Test(arguments: [
    ("2", true), ("3", true), ("1", false), ("0", false), ("1 0", false), ("0 2", true), ("", false),
    ("junk", false), ("ffffffffffffffff", true), ("fffffffffffffffff", false),
  ])
  func readsTheKernelsBits(_ bits: String, _ tells: Bool) {
    #expect(TabletSwitch.tellsTabletMode(bits) == tells)
  }
}
