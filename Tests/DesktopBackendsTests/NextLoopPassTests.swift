// SPDX-License-Identifier: MIT

import System
import Testing
import Waiting

@testable import DesktopBackends

/// Closures that run later, and readings that are not repeated needlessly.
@MainActor
struct NextLoopPassTests {
  @Test func `closures run once and in order`() throws {
    let loop = try EventLoop()
    let next = try NextLoopPass(loop)
    var calls: [Int] = []
    next {
      calls.append(1)
      next { calls.append(3) }
    }
    next { calls.append(2) }
    #expect(calls.isEmpty)
    try loop.wait(for: "the first pass") { !calls.isEmpty }
    #expect(calls == [1, 2])
    try loop.runPending()
    #expect(calls == [1, 2, 3])
  }

  @Test func `changes during a reading cause one more`() {
    var finish: [() -> Void] = []
    let reader = CoalescedReader { finish.append($0) }
    for _ in 0..<3 { reader() }
    #expect(finish.count == 1)
    finish[0]()
    #expect(finish.count == 2)
    finish[1]()
    #expect(finish.count == 2)
    reader()
    #expect(finish.count == 3)
  }
}
