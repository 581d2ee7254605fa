// SPDX-License-Identifier: MIT

import Autorotation
import System
import Testing
import Waiting

@testable import SensorSources

@Suite struct ReadingHealthTests {
  private let second: Int64 = 1_000_000_000
  private let still = Acceleration(x: 0, y: -9.81, z: 0)

  @Test func `only failures in a row lose the sensor`() {
    var health = ReadingHealth()
    for _ in 0..<3 {
      for _ in 1..<ReadingHealth.failuresUntilLost {
        let isLost = health.recordFailure()
        #expect(!isLost)
      }
      _ = health.record(still, at: 0)
    }
    let verdicts = (0..<5).map { _ in health.recordFailure() }
    #expect(verdicts == [false, false, false, false, true])
  }

  @Test func `backs off from one second to thirty`() {
    var health = ReadingHealth()
    let waits = (0..<7).map { _ in health.nextBackoff() / second }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30])
    _ = health.record(still, at: 0)
    let wait = health.nextBackoff()
    #expect(wait == second)
  }

  /// Reads every 300 ms for two hours.
  private func reopenings(_ value: (Int64) -> Acceleration) -> [Int64] {
    var health = ReadingHealth()
    return stride(from: 0, to: 7200 * second, by: 300_000_000).filter { health.record(value($0), at: $0) }
      .map { $0 / second }
  }

  @Test func `a frozen sensor is reopened less and less often`() {
    #expect(reopenings { _ in still } == [60, 180, 420, 900, 1860, 3660, 5460])
  }

  @Test func `noise in the last bit shows that a sensor works`() {
    let reopened = reopenings { now in
      Acceleration(x: now / (59 * second) % 2 == 0 ? 0 : 0.01, y: -9.81, z: 0)
    }
    #expect(reopened == [])
  }

  @Test func `a pause does not count as frozen`() {
    var health = ReadingHealth()
    let seconds: [Int64] = [0, 100, 110, 120, 130, 140, 150, 160]
    #expect(seconds.map { health.record(still, at: $0 * second) } == seconds.map { $0 == 160 })
    let pauses = (1...100).map { health.record(still, at: 160 * second + $0 * (10 * second + 1)) }
    #expect(!pauses.contains(true))
  }

  @Test func `a changed value makes the next reopening soon again`() {
    var health = ReadingHealth()
    var reopened: [Int64] = []
    for now: Int64 in 0...500 {
      let value = now < 200 ? still : Acceleration(x: 0, y: 9.81, z: 0)
      if health.record(value, at: now * second) { reopened.append(now) }
    }
    #expect(reopened == [60, 180, 260, 380])
  }

  @Test func `a search starts the count of failures again`() {
    var health = ReadingHealth()
    for _ in 1..<ReadingHealth.failuresUntilLost { _ = health.recordFailure() }
    #expect(health.failures == 4)
    _ = health.nextBackoff()
    let verdicts = (0..<5).map { _ in health.recordFailure() }
    #expect(verdicts == [false, false, false, false, true])
    _ = health.record(still, at: 0)
    #expect(health.failures == 0)
  }
}

@MainActor @Suite struct SilenceWatchTests {
  private static let step: Int64 = 2_000_000
  @MainActor private final class Thread {
    var checks = 0
    var silences = 0
    var hasProgress: (Int) -> Bool = { _ in false }

    func check() -> Bool {
      checks += 1
      return hasProgress(checks)
    }
  }

  private let loop: EventLoop
  private let thread = Thread()
  private let watch: SilenceWatch

  init() throws {
    loop = try EventLoop()
    watch = try SilenceWatch(loop: loop, step: Self.step, hasProgress: thread.check) { [thread] in
      thread.silences += 1
    }
  }

  @Test func `two checks without a report are silence`() throws {
    watch.expectsReports = true
    try loop.wait(for: "the silence") { thread.silences == 1 }
    #expect(thread.checks == 2 && !watch.expectsReports)
    try loop.settle()
    #expect(thread.silences == 1)
  }

  @Test func `checks are a step apart`() throws {
    var moments = [EventLoop.now]
    thread.hasProgress = { _ in
      moments.append(EventLoop.now)
      return false
    }
    watch.expectsReports = true
    try loop.wait(for: "the silence") { thread.silences == 1 }
    let steps = zip(moments.dropFirst(), moments).map { $0 - $1 }
    #expect(steps.count == 2 && steps.allSatisfy { $0 >= Self.step }, "\(steps)")
  }

  @Test func `progress is no silence`() throws {
    thread.hasProgress = { $0 < 4 || $0 == 5 }
    watch.expectsReports = true
    try loop.wait(for: "the silence") { thread.silences == 1 }
    #expect(thread.checks == 7)
  }

  @Test func `a report starts the count again`() throws {
    thread.hasProgress = { [watch] check in
      if check == 2 { watch.noteReport() }
      return false
    }
    watch.expectsReports = true
    try loop.wait(for: "the silence") { thread.silences == 1 }
    #expect(thread.checks == 3)
  }

  @Test func `nothing is checked while nothing is expected`() throws {
    #expect(loop.nextTimer == nil)
    watch.expectsReports = true
    watch.expectsReports = false
    try loop.settle()
    #expect(thread.checks == 0)
  }

  @Test func `expecting the same again does not start the count again`() throws {
    thread.hasProgress = { [watch] check in
      if check == 2 { watch.expectsReports = true }
      return false
    }
    watch.expectsReports = true
    try loop.wait(for: "the silence") { thread.silences == 1 }
    #expect(thread.checks == 2)
  }

  /// The first check may come right after the machine slept.
  @Test func `expecting starts the count again`() throws {
    thread.hasProgress = { [watch] check in
      if check == 2 {
        watch.expectsReports = false
        watch.expectsReports = true
      }
      return false
    }
    watch.expectsReports = true
    try loop.wait(for: "the silence") { thread.silences == 1 }
    #expect(thread.checks == 3)
  }
}
