// SPDX-License-Identifier: MIT

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
  private var program: ChildProgram?
  private var timer: EventTimer?

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
    let timer = try loop.timer { [unowned self] in program?.end() }
    self.timer = timer
    program = try ChildProgram(
      [hook.path], environment: Environment.adding(occasion.variables), loop: loop,
      endingNanoseconds: limits.endingNanoseconds, tell: tell
    ) { [unowned self] in ended(failure($0)) }
    timer.arm(at: EventLoop.now + limits.runningNanoseconds)
  }

  /// Asks it, and all that it started, to end.
  func stop() {
    program?.terminate()
  }

  private func failure(_ end: ProcessEnd) -> HookFailure? {
    timer?.cancel()
    if program?.isEnding == true { return .overdue(seconds: Double(limits.runningNanoseconds) / 1e9) }
    return switch end {
    case .exited(0): nil
    case .exited(let status): .exited(status: status)
    case .killed(let signal): .killed(signal: signal)
    }
  }
}
