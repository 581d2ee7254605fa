// SPDX-License-Identifier: MIT

import System
import Testing

struct ResourcesTests {
  @Test func `a process with free files and memory lacks nothing`() {
    #expect(!Resources.areScarce)
  }
}
