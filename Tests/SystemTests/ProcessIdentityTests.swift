// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing

struct ProcessIdentityTests {
  @Test func `an identity is read as it was written`() throws {
    let own = try #require(ProcessIdentity(of: getpid()))
    #expect(ProcessIdentity(text: own.text) == own)
    #expect(own.isAlive)
  }

  @Test func `a process that started at another time is another`() throws {
    let other = try #require(ProcessIdentity(text: "\(getpid()) 1"))
    #expect(!other.isAlive)
  }

  @Test(arguments: ["", "5", "5 6 7", "-4 5", "0 5", "1 5", "x 5", "99999999999 5"])
  func `a text that names no process is refused`(text: String) {
    #expect(ProcessIdentity(text: text) == nil)
  }

  @Test func `a process that is not there has no identity`() {
    #expect(ProcessIdentity(of: Int32.max) == nil)
  }
}
