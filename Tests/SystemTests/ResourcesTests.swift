// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import Testing
import Waiting

@testable import System

struct ResourcesTests {
  @Test func `a process with free files and memory lacks nothing`() {
    #expect(!Resources.areScarce)
  }

  /// The last descriptors are taken in a table of their own, which ends with its thread.
  @Test(.enabled(if: descriptorLimit <= 1 << 20, "there are too many to take"))
  func `a process without free files lacks some`() throws {
    let areScarce = Mutex<[Bool]>([])
    let hasEnded = DispatchSemaphore(value: 0)
    let unshare = unsafeBitCast(
      try #require(dlsym(nil, "unshare")), to: (@convention(c) (CInt) -> CInt).self)
    try BackgroundThread.start {
      let ownTable: CInt = 0x400
      if unshare(ownTable) == 0 {
        while dup(0) >= 0 {}
        areScarce.withLock { $0.append(Resources.areScarce) }
        for descriptor in 3..<Int32(Self.descriptorLimit) { close(descriptor) }
        areScarce.withLock { $0.append(Resources.areScarce) }
      }
      hasEnded.signal()
    }
    #expect(hasEnded.wait(timeout: .now() + .nanoseconds(Int(EventLoop.limit))) == .success)
    #expect(areScarce.withLock(\.self) == [true, false])
  }

  private static var descriptorLimit: UInt {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return UInt(limit.rlim_cur)
  }

  @Test func `more memory than an address space is refused`() {
    #expect(Resources.hasMemory(of: 1 << 20))
    #expect(!Resources.hasMemory(of: 1 << 62))
  }

  /// By default, the C library takes the second block from the memory that it has kept of the first.
  @Test(
    .enabled(
      if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil,
      "the sanitizer has an allocator of its own"))
  func `a large block is a mapping of its own`() throws {
    Resources.saveMemory()
    free(malloc(30 << 20))
    let block = try #require(malloc(30 << 20))
    defer { free(block) }
    let size = block.load(fromByteOffset: -MemoryLayout<Int>.size, as: Int.self)
    let isMapped = 2
    #expect(size & isMapped != 0)
  }

  /// Below another thread's stack there may be any memory.
  @Test func `memory below the stack of another thread stays`() throws {
    let size = 256 << 10
    let memory = try #require(
      mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(memory, 2 * size) }
    memset(memory, 1, size)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    try #require(pthread_attr_setstack(&attributes, memory + size, size) == 0)
    var thread = pthread_t()
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      Resources.releaseMemory()
      return nil
    }
    try #require(pthread_create(&thread, &attributes, body, nil) == 0)
    pthread_join(thread, nil)
    #expect(UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == 1 })
  }
}
