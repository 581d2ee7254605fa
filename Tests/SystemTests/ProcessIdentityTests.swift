// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing

struct ProcessIdentityTests {
  @Test func `a later process of the same number is another`() throws {
    let own = try #require(ProcessIdentity(of: getpid()))
    #expect(own.isAlive && ProcessIdentity(text: own.text) == own)
    #expect(ProcessIdentity(text: "\(getpid()) 1")?.isAlive == false)
  }

  @Test(arguments: ["", "12", "12 34 56", "-1 5", "0 5", "1 5", "x 5", "99999999999 5"])
  func `nonsense is no process`(text: String) {
    #expect(ProcessIdentity(text: text) == nil)
  }
}
