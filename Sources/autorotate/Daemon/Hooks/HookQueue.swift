// SPDX-License-Identifier: MIT

import Autorotation
import System

/// The hooks of one kind. They run one after the other, and no hook runs twice at the same time: a turn
/// that comes meanwhile waits until they have ended, and of several that wait, the last one counts.
@MainActor final class HookQueue {
  typealias Start = (Hook, HookOccasion, @escaping (Message?) -> Void) throws -> HookRun

  private struct Round {
    var occasion: HookOccasion
    var ended: (() -> Void)?
  }

  private let find: () -> [Hook]
  private let start: Start
  private let note: (Message?, Hook) -> Void
  private var round: Round?
  private var rest: [Hook] = []
  private(set) var running: HookRun?
  private var waiting: Round?

  /// - Parameters:
  ///   - find: the hooks as they are now, in order.
  ///   - note: takes what became of each.
  init(
    find: @escaping () -> [Hook], start: @escaping Start, note: @escaping (Message?, Hook) -> Void
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
    note(.late(running.hook, leftOut: leftOut.map(\.name)), running.hook)
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
    } catch let failure as Message {
      note(failure, hook)
    } catch let error as SystemError {
      note(.notStarted(hook, error), hook)
    } catch {
      note(.notStarted(hook, "\(error)"), hook)
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
  /// - Throws: `Message` if somebody else could have written it, `SystemError` if it cannot be started.
  init(
    _ hook: Hook, _ occasion: HookOccasion, loop: EventLoop, limits: HookLimits,
    tell: @escaping (String) -> Void, ended: @escaping (Message?) -> Void
  ) throws {
    if let doubt = HookTrust().doubt(about: hook.path) { throw Message.notTrusted(hook, doubt) }
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

  private func failure(_ end: ProcessEnd) -> Message? {
    timer?.cancel()
    if program?.isEnding == true {
      return .overdue(hook, seconds: Double(limits.runningNanoseconds) / 1e9)
    }
    return .failure(of: hook, end)
  }
}
