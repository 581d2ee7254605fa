// SPDX-License-Identifier: MIT

import Glibc
import System
import Testing

@testable import DesktopBackends

@Suite("an end to libxcb's waiting")
@MainActor
final class ReadLimitTests {
  private var ends: [Int32] = [-1, -1]
  private let limit: X11ReadLimit

  init() throws {
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw SystemError(call: "socketpair", code: errno)
    }
    limit = try X11ReadLimit(ends[0], patience: 1_000_000)
  }

  isolated deinit {
    for end in ends { close(end) }
  }

  /// Waits until long after the limit, by the same clock of the kernel.
  /// - Returns: whether nothing interrupted that.
  private func waitLonger() -> Bool { poll(nil, 0, 20) == 0 }

  @Test func aReadingThatNeverEndsIsGivenTheEndOfAConnection() {
    var byte: UInt8 = 0
    #expect(limit.reading { read(ends[0], &byte, 1) } == 0 && limit.hasCut)
    limit.stop()
  }

  /// libsystemd 252 gives a call up that is interrupted: "Interrupted system call" on a busy machine.
  @Test func whatWaitsOutsideOfAReadingIsNotInterrupted() {
    limit.reading {}
    #expect(waitLonger())
    limit.stop()
    #expect(!limit.hasCut)
  }

  @Test func aSignalThatCameOutsideDoesNotCutTheNextReading() {
    limit.reading {}
    #expect(waitLonger())
    limit.reading {}
    limit.stop()
    #expect(!limit.hasCut)
  }
}
