// SPDX-License-Identifier: MIT

import System
import Testing

struct ProgramSearchTests {
  /// Otherwise programs in the working directory could be started.
  @Test func `relative directories of PATH are ignored`() {
    let relative = String(repeating: "../", count: 40) + "bin"
    #expect(ProgramSearch { _ in "\(relative):/bin" }.path(of: "sh") == "/bin/sh")
    #expect(ProgramSearch { _ in relative }.path(of: "sh") == nil)
  }
}
