// SPDX-License-Identifier: MIT

import Glibc
import PrivateBus
import Testing
import Waiting

@testable import System

private let target = BusTarget(
  service: "org.example.Count", path: "/org/example/Count", interface: "org.example.Count")

/// Calls that wait in the queue of a service whose loop does not run, as after SIGSTOP, while their callers leave.
@MainActor @Suite(.enabled(if: PrivateBus.isAvailable, "\(PrivateBus.absence)"))
struct AbandonedCallTests {
  private final class Record {
    var numbers: [UInt32] = []
  }

  private let home: PrivateBus
  private let server: Bus
  private let record = Record()
  private let exported: ExportedInterface

  init() throws {
    home = try PrivateBus()
    server = try home.connect()
    _ = try server.requestName(target.service)
    let method = BusMethod("Add", takes: [BusArgument("number", "u")]) { [record] call in
      record.numbers.append(try call.arguments.read(0))
      return []
    }
    exported = try server.export(BusInterface(name: target.interface, methods: [method]), at: target.path)
  }

  /// Calls, and disconnects without reading the answer; returns when the bus has handled both.
  private func callAndLeave(_ number: UInt32, expectsReply: Bool = true) throws {
    try Stranger(on: home).call(target, "Add", [.uint32(number)], expectsReply: expectsReply)
    try home.flush()
  }

  @Test func `an old call whose caller has left is not executed`() throws {
    try callAndLeave(1)
    server.recheckQueuedCalls()
    try home.deliver()
    #expect(record.numbers.isEmpty)
  }

  @Test func `a caller may leave at once while the loop runs`() throws {
    server.recheckQueuedCalls()
    try home.deliver()
    try callAndLeave(1)
    #expect(try home.run { record.numbers == [1] })
  }

  @Test func `a call that expects no reply outlives its caller`() throws {
    try callAndLeave(1, expectsReply: false)
    server.recheckQueuedCalls()
    #expect(try home.run { record.numbers == [1] })
  }

  @Test func `calls are executed in order`() throws {
    let caller = try Stranger(on: home)
    try caller.call(target, "Add", [.uint32(1)])
    try callAndLeave(2)
    try callAndLeave(3, expectsReply: false)
    try caller.call(target, "Add", [.uint32(4)])
    try caller.call(target, "Add", [.uint32(5)], expectsReply: false)
    server.recheckQueuedCalls()
    #expect(try home.run { record.numbers.last == 5 })
    #expect(record.numbers == [1, 3, 4, 5])
  }

  @Test func `a caller that waits gets its answer`() throws {
    let caller = try home.connect()
    var result: Result<[Value], BusError>?
    server.recheckQueuedCalls()
    try caller.call(target, "Add", [.uint32(7)]) { result = $0 }
    #expect(try home.run { result != nil })
    #expect(result == .success([]) && record.numbers == [7])
  }

  /// The bus may end before it says whether the caller has left.
  @Test func `a call is not executed after the end of the bus`() throws {
    let caller = try home.connect()
    #expect(try home.run { caller.isReady })
    var isAnswered = false
    try caller.call(target, "Add", [.uint32(7)]) { _ in isAnswered = true }
    try home.flush()
    server.recheckQueuedCalls()
    home.freeze()
    try home.runPending()
    home.kill()
    #expect(try home.run { !server.isReady && isAnswered })
    try home.runPending()
    #expect(record.numbers.isEmpty)
  }

  @Test func `a bus that has ended has no old calls`() {
    server.close()
    server.recheckQueuedCalls()
    #expect(!server.mayDeliverOldCalls)
  }

  /// Sends SIGCONT to this thread alone.
  private func whileContinuing(_ body: () throws -> Void) throws {
    var set = sigset_t()
    var former = sigset_t()
    sigaddset(&set, SIGCONT)
    pthread_sigmask(SIG_BLOCK, &set, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    pthread_kill(pthread_self(), SIGCONT)
    try body()
    var (received, none) = (siginfo_t(), timespec())
    sigtimedwait(&set, &received, &none)
  }

  @Test func `calls are old until a continuation is handled`() throws {
    try callAndLeave(1)
    try whileContinuing {
      #expect(StallWatch.isDue)
      try home.runPending()
    }
    #expect(!StallWatch.isDue)
    try home.deliver()
    #expect(record.numbers.isEmpty)
  }

  @Test func `a continued process is reported`() throws {
    let loop = try EventLoop()
    var stalls = 0
    try whileContinuing {
      let watch = try StallWatch(loop: loop) { stalls += 1 }
      try loop.runPending()
      withExtendedLifetime(watch) {}
    }
    #expect(stalls > 0)
  }

  /// On a busy machine, a stall of this test is also detected.
  @Test func `a loop that runs has no old calls`() throws {
    let loop = try EventLoop()
    var stalls = 0
    let watch = try StallWatch(loop: loop) { stalls += 1 }
    var begun: Int64
    repeat {
      begun = EventLoop.now
      try loop.runOnce(timeoutNanoseconds: 0)
      stalls = 0
      try loop.runOnce(timeoutNanoseconds: 0)
    } while EventLoop.now - begun > 300_000_000
    #expect(stalls == 0)
    withExtendedLifetime(watch) {}
  }

  @Test func `a loop that was held up has old calls`() throws {
    let loop = try EventLoop()
    var stalls = 0
    let watch = try StallWatch(loop: loop) { stalls += 1 }
    let timer = try loop.timer { usleep(500_000) }
    timer.arm(at: 0)
    try loop.runPending()
    #expect(stalls > 0)
    withExtendedLifetime(watch) {}
  }
}
