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

  /// In ticks since the machine's start.
  @Test func `an identity says when the process started`() throws {
    let own = try #require(ProcessIdentity(of: getpid()))
    let start = try #require(own.text.split(separator: " ").last.flatMap { Int64($0) })
    let ticks = EventLoop.now / (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    #expect((1...ticks).contains(start))
  }

  @Test func `the first process has an identity`() {
    #expect(ProcessIdentity(of: 1) != nil)
  }

  @Test func `a process that a signal ended has a shell's status`() {
    #expect(ProcessEnd.killed(signal: SIGKILL).shellStatus == 137)
    #expect(ProcessEnd.exited(status: 3).shellStatus == 3)
  }

  @Test func `a process that is not there has no identity`() {
    #expect(ProcessIdentity(of: Int32.max) == nil)
  }
}
