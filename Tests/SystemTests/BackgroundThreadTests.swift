// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import System
import Testing
import Waiting

struct BackgroundThreadTests {
  private static func blockedSignals() -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    // The C library never blocks the two signals that it uses itself.
    return (1...64).filter { ![32, 33].contains($0) && sigismember(&mask, $0) == 1 }
  }

  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
    let result = Mutex<Result?>(nil)
    let hasEnded = DispatchSemaphore(value: 0)
    try BackgroundThread.start {
      let found = body()
      result.withLock { $0 = found }
      hasEnded.signal()
    }
    #expect(hasEnded.wait(timeout: .now() + .nanoseconds(Int(EventLoop.limit))) == .success)
    let found = result.withLock { $0 }
    return try #require(found)
  }

  @Test func `signals are left to the thread of the loop`() throws {
    let before = Self.blockedSignals()
    let blocked = try onThread { Self.blockedSignals() }
    #expect(blocked == (1...64).filter { ![SIGKILL, SIGSTOP, 32, 33].contains($0) })
    #expect(Self.blockedSignals() == before)
  }

  @Test func `a thread that cannot start is an error`() throws {
    let (code, isMaskKept) = try onThread { () -> (Int32?, Bool) in
      var one = sigset_t()
      sigaddset(&one, SIGWINCH)
      pthread_sigmask(SIG_UNBLOCK, &one, nil)
      let before = Self.blockedSignals()
      guard Self.refuseThreads() else { return (nil, false) }
      do {
        try BackgroundThread.start {}
        return (0, Self.blockedSignals() == before)
      } catch {
        return ((error as? SystemError)?.code, Self.blockedSignals() == before)
      }
    }
    #expect(code == EAGAIN)
    #expect(isMaskKept)
  }

  /// From now on, the kernel refuses this thread each new one: a filter of seccomp(2).
  private static func refuseThreads() -> Bool {
    #if arch(x86_64)
      let clone: UInt64 = 56
    #else
      let clone: UInt64 = 220
    #endif
    let (load, jumpIfEqual, leave, clone3): (UInt64, UInt64, UInt64, UInt64) = (0x20, 0x15, 0x06, 435)
    let (refused, allowed) = (0x5_0000 | UInt64(EAGAIN), UInt64(0x7fff_0000))
    // The number in the upper half, and where to jump for equal and unequal ones.
    let filter = [
      load, jumpIfEqual | 1 << 16 | clone << 32, jumpIfEqual | 1 << 24 | clone3 << 32, leave | refused << 32,
      leave | allowed << 32,
    ]
    let (setNoNewPrivileges, setSeccomp): (CInt, CInt) = (38, 22)
    // The function for any number of arguments is not imported.
    typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt
    guard let function = dlsym(nil, "prctl") else { return false }
    let prctl = unsafeBitCast(function, to: Control.self)
    return filter.withUnsafeBufferPointer { filter in
      let program = [UInt(filter.count), UInt(bitPattern: filter.baseAddress)]
      return program.withUnsafeBufferPointer { program in
        prctl(setNoNewPrivileges, 1, 0, 0, 0) == 0
          && prctl(setSeccomp, 2, UInt(bitPattern: program.baseAddress), 0, 0) == 0
      }
    }
  }
}
