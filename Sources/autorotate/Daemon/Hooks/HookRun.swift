// SPDX-License-Identifier: MIT

import Glibc
import System

/// How long hooks may take.
struct HookLimits {
  /// From its start to SIGTERM, in nanoseconds.
  var runningNanoseconds: Int64 = 10_000_000_000
  /// From SIGTERM to SIGKILL, in nanoseconds.
  var endingNanoseconds: Int64 = 1_000_000_000
}

/// One hook while it runs.
@MainActor final class HookRun {
  let hook: Hook
  /// Whether the turn stopped waiting for it.
  var isLate = false
  private let limits: HookLimits
  private var output: HookOutput?
  private var process: pid_t = 0
  private var timer: EventTimer?
  private var watch: EventSource?
  private var isOverdue = false

  /// - Parameters:
  ///   - tell: takes what it prints.
  ///   - ended: called once, from the loop, with `nil` if the hook did its part.
  /// - Throws: `HookFailure` if somebody else could have written it, `SystemError` if it cannot be started.
  init(
    _ hook: Hook, _ occasion: HookOccasion, loop: EventLoop, limits: HookLimits,
    tell: @escaping (String) -> Void, ended: @escaping (HookFailure?) -> Void
  ) throws {
    if let doubt = HookTrust().doubt(about: hook.path) { throw HookFailure.notTrusted(doubt) }
    self.hook = hook
    self.limits = limits
    let timer = try loop.timer { [unowned self] in lostPatience() }
    self.timer = timer
    let environment = HookEnvironment.adding(occasion.variables)
    output = try HookOutput(loop: loop, tell: tell) { output throws(SystemError) in
      let launch = Launch(command: [hook.path], environment: environment, place: .aside(output: output))
      process = try launch.start()
    }
    do {
      watch = try loop.onEnd(of: process) { [unowned self] end in ended(note(end)) }
    } catch {
      abandon()
      throw error
    }
    timer.arm(at: EventLoop.now + limits.runningNanoseconds)
  }

  /// Asks it, and all that it started, to end.
  func stop() {
    if process > 0 { kill(-process, SIGTERM) }
  }

  private func lostPatience() {
    kill(-process, isOverdue ? SIGKILL : SIGTERM)
    guard !isOverdue else { return }
    isOverdue = true
    timer?.arm(at: EventLoop.now + limits.endingNanoseconds)
  }

  private func note(_ end: ProcessEnd) -> HookFailure? {
    timer?.cancel()
    // Its number stands for its group until this returns.
    if isOverdue { kill(-process, SIGKILL) }
    process = 0
    output?.drain()
    if isOverdue { return .overdue(seconds: Double(limits.runningNanoseconds) / 1e9) }
    switch end {
    case .exited(0): return nil
    case .exited(let status): return .exited(status: status)
    case .killed(let signal): return .killed(signal: signal)
    }
  }

  /// Nobody would be told of its end.
  private func abandon() {
    kill(-process, SIGKILL)
    waitpid(process, nil, 0)
    process = 0
  }
}
