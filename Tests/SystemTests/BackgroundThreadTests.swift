// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import System
import Testing
import Waiting

/// On the main actor, on which all other tests start their threads: one of them changes how large new threads are.
@MainActor struct BackgroundThreadTests {
  private nonisolated static func blockedSignals() -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    // The C library never blocks the two signals that it uses itself.
    return (1...64).filter { ![32, 33].contains($0) && sigismember(&mask, $0) == 1 }
  }

  @Test func `signals are left to the thread of the loop`() throws {
    let blocked = Mutex<[Int32]>([])
    let hasEnded = DispatchSemaphore(value: 0)
    let before = Self.blockedSignals()
    try BackgroundThread.start {
      blocked.withLock { $0 = Self.blockedSignals() }
      hasEnded.signal()
    }
    #expect(Self.blockedSignals() == before)
    #expect(hasEnded.wait(timeout: .now() + .nanoseconds(Int(EventLoop.limit))) == .success)
    #expect(blocked.withLock(\.self) == (1...64).filter { ![9, 19, 32, 33].contains($0) })
  }

  /// A function of the C library on the default attributes of threads, which Glibc's module lacks.
  private func defaultAttributes(_ name: String) throws
    -> @convention(c) (UnsafeMutablePointer<pthread_attr_t>) -> CInt
  {
    unsafeBitCast(
      try #require(dlsym(nil, "pthread_\(name)_default_np")),
      to: (@convention(c) (UnsafeMutablePointer<pthread_attr_t>) -> CInt).self)
  }

  @Test func `a thread that cannot start is an error`() throws {
    let set = try defaultAttributes("setattr")
    var usual = pthread_attr_t()
    try #require(try defaultAttributes("getattr")(&usual) == 0)
    defer { _ = set(&usual) }
    var huge = usual
    try #require(pthread_attr_setstacksize(&huge, 1 << 60) == 0 && set(&huge) == 0)
    let before = Self.blockedSignals()
    let failure = #expect(throws: SystemError.self) { try BackgroundThread.start {} }
    #expect(failure?.code == EAGAIN)
    #expect(Self.blockedSignals() == before)
  }
}
