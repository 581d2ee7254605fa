// SPDX-License-Identifier: MIT

import Glibc
import System
import Temporary
import Testing

@testable import SensorSources

struct BorrowedAttributesTests {
  @Test(arguments: ["sampling_frequency", "scan_elements/in_accel_x_en", "buffer/length"])
  func `an attribute is below its sensor`(name: String) {
    #expect(BorrowedAttributes.isAttribute(name))
  }

  @Test(arguments: ["/etc/passwd", "../iio:device1/sampling_frequency", "buffer/../../x"])
  func `a path that leads elsewhere is no attribute`(name: String) {
    #expect(!BorrowedAttributes.isAttribute(name))
  }

  @Test func `what a running process has set is left to it`() throws {
    let directory = try TemporaryDirectory()
    let memory = StateFile(path: directory["sensor"])
    let own = try #require(ProcessIdentity(of: getpid()))
    for (owner, isKept) in [(own.text, true), ("\(getpid()) 1", false)] {
      try memory.write("\(owner)\nnone\tsampling_frequency\t10\t50\n")
      BorrowedAttributes.putBackWhatWasLeft(id: "none", memory: memory)
      #expect(memory.isThere == isKept)
    }
  }
}
