// SPDX-License-Identifier: MIT

import System

/// The hooks of one kind. They run one after the other, and no hook runs twice at the same time: a turn
/// that comes meanwhile waits until they have ended, and of several that wait, the last one counts.
@MainActor final class HookQueue {
  typealias Start = (Hook, HookOccasion, @escaping (HookFailure?) -> Void) throws -> HookRun

  private struct Round {
    var occasion: HookOccasion
    var ended: (() -> Void)?
  }

  private let find: () -> [Hook]
  private let start: Start
  private let note: (HookFailure?, Hook) -> Void
  private var round: Round?
  private var rest: [Hook] = []
  private(set) var running: HookRun?
  private var waiting: Round?

  /// - Parameters:
  ///   - find: the hooks as they are now, in order.
  ///   - note: takes what became of each.
  init(
    find: @escaping () -> [Hook], start: @escaping Start, note: @escaping (HookFailure?, Hook) -> Void
  ) {
    self.find = find
    self.start = start
    self.note = note
  }

  /// - Parameter ended: called when all hooks have run for this turn; at once where there are none, and
  ///   never if another turn follows before.
  func add(_ occasion: HookOccasion, ended: (() -> Void)? = nil) {
    guard round == nil else {
      waiting = Round(occasion: occasion.following(waiting?.occasion), ended: ended)
      return
    }
    begin(Round(occasion: occasion, ended: ended))
  }

  /// The turn no longer waits: the hook that runs goes on, the others are skipped.
  func leaveOutTheRest() {
    waiting = nil
    let leftOut = rest
    rest = []
    round?.ended = nil
    guard let running, !running.isLate else { return }
    running.isLate = true
    note(.late(leftOut: leftOut.map(\.name)), running.hook)
  }

  func stop() {
    waiting = nil
    rest = []
    running?.stop()
  }

  private func begin(_ next: Round) {
    round = next
    rest = find()
    proceed()
  }

  private func proceed() {
    running = nil
    while let round, !rest.isEmpty {
      if run(rest.removeFirst(), round.occasion) { return }
    }
    let ended = round?.ended
    round = nil
    if let waiting {
      self.waiting = nil
      begin(waiting)
    } else {
      ended?()
    }
  }

  /// - Returns: whether it runs now.
  private func run(_ hook: Hook, _ occasion: HookOccasion) -> Bool {
    do {
      running = try start(hook, occasion) { [unowned self] failure in
        // A late hook was reported when it became late, so its end is not reported as a success.
        if failure != nil || running?.isLate != true { note(failure, hook) }
        proceed()
      }
      return true
    } catch let failure as HookFailure {
      note(failure, hook)
    } catch let error as SystemError {
      note(HookFailure(error, path: hook.path), hook)
    } catch {
      note(.notStartable(reason: "\(error)"), hook)
    }
    return false
  }
}

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
