// SPDX-License-Identifier: MIT

import Glibc
import Testing
import Waiting

@testable import System

@MainActor
struct EventLoopTests {
  @Test func `a timer that is due within the wait ends it`() throws {
    let loop = try EventLoop()
    var hasFired = false
    let timer = try loop.timer { hasFired = true }
    timer.arm(at: EventLoop.now + 300_000_000)
    #expect(try loop.runOnce(timeoutNanoseconds: 500_000_000))
    #expect(hasFired)
  }

  @Test func `another loop handles its events in three steps`() throws {
    let loop = try EventLoop()
    var count = 0
    let timer = try loop.timer { count += 1 }
    #expect(!loop.prepare())
    timer.arm(at: EventLoop.now + 60_000_000_000)
    #expect(!loop.prepare(), "the other loop has left out a step")
    timer.arm(at: EventLoop.now + 1_000_000)
    var descriptor = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(loop.prepare() || poll(&descriptor, 1, 60_000) == 1 && loop.poll())
    loop.dispatch()
    #expect(count == 1)
    #expect(!loop.prepare())
  }

  @Test func `a timer that waits for idle fires once, after other events`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    let idle = try loop.timer { calls.append("idle") }
    idle.waitForIdle()
    let timer = try loop.timer { calls.append("timer") }
    #expect(try !loop.runOnce(timeoutNanoseconds: 0), "it is not armed")
    idle.arm(at: 0)
    idle.arm(at: 0)
    timer.arm(at: 0)
    while try loop.runOnce(timeoutNanoseconds: 0) {}
    #expect(calls == ["timer", "idle"])
    idle.arm(at: 0)
    while try loop.runOnce(timeoutNanoseconds: 0) {}
    #expect(calls == ["timer", "idle", "idle"])
  }

  @Test(arguments: [(false, "clockid: 7"), (true, "clockid: 1")])
  func `a timer may pause in suspend`(pausesInSuspend: Bool, clock: String) throws {
    let loop = try EventLoop()
    let moment = EventLoop.nanoseconds(on: CLOCK_MONOTONIC) + 60_000_000_000
    let timer = try loop.timer(at: moment, pausesInSuspend: pausesInSuspend) {}
    #expect(loop.watched.contains { $0.contains(clock) })
    withExtendedLifetime(timer) {}
  }

  @Test func `a moment in an hour is an hour ahead`() {
    let before = EventLoop.now
    let moment = EventLoop.moment(in: .seconds(3600))
    #expect((before...EventLoop.now).contains(moment - 3_600_000_000_000))
    #expect(EventLoop.moment(in: .forever) == .max)
  }

  @Test func `a hang-up is reported and input is not`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    let loop = try EventLoop()
    var hangUps = 0
    let source = try loop.watch(ends[0], forHangUpOnly: true) {
      hangUps += 1
      loop.exit(4)
    }
    #expect(write(ends[1], "x", 1) == 1)
    #expect(try !loop.runPending() && hangUps == 0)
    close(ends[1])
    #expect(try loop.run() == 4)
    #expect(hangUps == 1)
    withExtendedLifetime(source) {}
  }

  @Test func `a disabled source waits until it is enabled`() throws {
    let pipe = try System.Pipe()
    defer { for end in [pipe.reading, pipe.writing] { close(end) } }
    let loop = try EventLoop()
    var calls = 0
    let source = try loop.watch(pipe.reading) {
      calls += 1
      var byte: UInt8 = 0
      read(pipe.reading, &byte, 1)
    }
    source.isEnabled = false
    #expect(write(pipe.writing, "x", 1) == 1)
    try loop.runPending()
    #expect(calls == 0)
    source.isEnabled = true
    try loop.runPending()
    #expect(calls == 1)
    source.cancel()
    #expect(write(pipe.writing, "x", 1) == 1)
    try loop.runPending()
    #expect(calls == 1)
  }

  @Test func `a released source is not watched`() throws {
    let loop = try EventLoop()
    let before = loop.watched.count
    let pipe = try System.Pipe()
    defer { for end in [pipe.reading, pipe.writing] { close(end) } }
    var source: EventSource? = try loop.watch(pipe.reading) {}
    #expect(source != nil && loop.watched.count == before + 1)
    source = nil
    #expect(loop.watched.count == before)
  }

  @Test func `a released monitor is not watched`() throws {
    let loop = try EventLoop()
    let before = loop.watched.count
    // Without udev, as in some containers, there is nothing to release.
    var monitor = try? UdevMonitor(subsystem: "input", loop: loop) {}
    guard monitor != nil else { return }
    #expect(loop.watched.count == before + 1)
    monitor = nil
    #expect(loop.watched.count == before)
  }

  /// Sends the signal to this thread alone.
  @Test func `a signal of a process is reported with its sender`() throws {
    var set = sigset_t()
    var former = sigset_t()
    sigaddset(&set, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &set, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    let loop = try EventLoop()
    var origins: [SignalOrigin] = []
    let source = try loop.onSignal(SIGUSR2) { origins.append($0) }
    pthread_kill(pthread_self(), SIGUSR2)
    try loop.wait(for: "the signal") { !origins.isEmpty }
    #expect(origins.map(\.process) == [getpid()] && origins.map(\.isKernel) == [false])
    withExtendedLifetime(source) {}
  }

  @Test(arguments: [("exit 3", ProcessEnd.exited(status: 3)), ("kill -9 $$", .killed(signal: 9))])
  func `the end of a child is reported once`(_ script: String, _ end: ProcessEnd) throws {
    let loop = try EventLoop()
    try EventLoop.expectProcesses()
    let child = try Launch(command: ["sh", "-c", script], mode: .foreground(mask: .current)).start()
    var ends: [ProcessEnd] = []
    let source = try loop.onEnd(of: child) { ends.append($0) }
    try loop.wait(for: "the end") { !ends.isEmpty }
    try loop.runPending()
    #expect(ends == [end])
    withExtendedLifetime(source) {}
  }

  @Test func `a timer that is not armed does not fire`() throws {
    let loop = try EventLoop()
    let timer = try loop.timer { Issue.record("it fired") }
    #expect(try !loop.runOnce(timeoutNanoseconds: 0))
    withExtendedLifetime(timer) {}
  }

  @Test func `a timer without a time does not fire`() throws {
    let loop = try EventLoop()
    let timer = try loop.timer { Issue.record("it fired") }
    timer.arm(at: 0)
    timer.arm(at: nil)
    #expect(try !loop.runOnce(timeoutNanoseconds: 0))
  }
}
