// SPDX-License-Identifier: MIT

import System
import Testing

struct ResourcesTests {
  @Test func `a process that may open files and use memory lacks nothing`() {
    #expect(!Resources.areScarce)
  }
}
