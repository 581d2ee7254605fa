// SPDX-License-Identifier: MIT

import System
import Testing

@testable import SensorSources

@Suite struct PostureSwitchTests {
  @Test(
    arguments: [
      ("0", []), ("", []), ("1", [.lidClosed]), ("2", [.tablet]), ("3", [.lidClosed, .tablet]),
      ("23", [.lidClosed, .tablet, .docked]),
      ("20", [.docked]), ("1fff1", [.lidClosed, .docked]), ("2 0", []), ("ff 2", [.tablet]),
      ("rubbish", []), ("ffffffffffffffffffff", []),
    ] as [(String, Set<PostureSwitch>)])
  func `the kernels bit mask is read`(text: String, switches: Set<PostureSwitch>) {
    #expect(PostureSwitch.all(in: KernelInput.BitSet(words: text)) == switches)
  }
}
