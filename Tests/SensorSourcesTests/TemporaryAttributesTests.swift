// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

@testable import SensorSources

struct TemporaryAttributesTests {
  @Test(arguments: ["sampling_frequency", "scan_elements/in_accel_x_en", "buffer/length"])
  func `an attribute is below its sensor`(name: String) {
    #expect(TemporaryAttributes.isAttribute(name))
  }

  @Test(arguments: ["/etc/passwd", "../iio:device1/sampling_frequency", "buffer/../../x", "../\u{301}"])
  func `a path that leads elsewhere is no attribute`(name: String) {
    #expect(!TemporaryAttributes.isAttribute(name))
  }

  @Test func `only attributes set by an ended process are restored`() throws {
    let directory = try TemporaryDirectory()
    let stateFile = StateFile(path: directory["sensor"])
    let own = try #require(ProcessIdentity(of: getpid()))
    for (owner, isKept) in [(own.text, true), ("\(getpid()) 1", false)] {
      try stateFile.write("\(owner)\nnone\tsampling_frequency\t10\t50\n")
      TemporaryAttributes.restoreAbandoned(id: "none", stateFile: stateFile)
      #expect(stateFile.exists == isKept)
    }
  }
}
