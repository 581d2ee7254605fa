// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Runs the hooks of one kind one after the other. No hook runs twice at the same time: a rotation that
/// happens meanwhile waits until they have ended, and of several that wait, only the last is used.
@MainActor final class HookQueue {
  typealias Start = (Hook, HookContext, @escaping (Message?) -> Void) throws -> HookRun

  private struct QueuedRotation {
    var context: HookContext
    var ended: (() -> Void)?
  }

  private let find: () -> [Hook]
  private let start: Start
  private let note: (Message?, Hook) -> Void
  private var current: QueuedRotation?
  private var rest: [Hook] = []
  private(set) var running: HookRun?
  private var waiting: QueuedRotation?

  /// - Parameters:
  ///   - find: the hooks as they are now, in order.
  ///   - note: receives the result of each.
  init(
    find: @escaping () -> [Hook], start: @escaping Start, note: @escaping (Message?, Hook) -> Void
  ) {
    self.find = find
    self.start = start
    self.note = note
  }

  /// - Parameter ended: called when all hooks have run for this rotation; at once if there are none, and
  ///   never if another rotation follows before.
  func add(_ context: HookContext, ended: (() -> Void)? = nil) {
    guard current == nil else {
      waiting = QueuedRotation(context: context.following(waiting?.context), ended: ended)
      return
    }
    begin(QueuedRotation(context: context, ended: ended))
  }

  /// The rotation no longer waits: the running hook continues, the others are skipped.
  func skipRemaining() {
    waiting = nil
    let skipped = rest
    rest = []
    current?.ended = nil
    guard let running, !running.isLate else { return }
    running.isLate = true
    note(.late(running.hook, skipped: skipped.map(\.name)), running.hook)
  }

  func stop() {
    waiting = nil
    rest = []
    running?.stop()
  }

  private func begin(_ next: QueuedRotation) {
    current = next
    rest = find()
    proceed()
  }

  private func proceed() {
    running = nil
    while let current, !rest.isEmpty {
      if run(rest.removeFirst(), current.context) { return }
    }
    let ended = current?.ended
    current = nil
    if let waiting {
      self.waiting = nil
      begin(waiting)
    } else {
      ended?()
    }
  }

  /// - Returns: whether it runs now.
  private func run(_ hook: Hook, _ context: HookContext) -> Bool {
    do {
      running = try start(hook, context) { [unowned self] failure in
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

/// Time limits for hooks.
struct HookLimits {
  /// From its start to SIGTERM, in nanoseconds.
  var runningNanoseconds: Int64 = 10_000_000_000
  /// From SIGTERM to SIGKILL, in nanoseconds.
  var endingNanoseconds: Int64 = 1_000_000_000
}

/// One hook while it runs.
@MainActor final class HookRun {
  let hook: Hook
  /// Whether the rotation stopped waiting for it.
  var isLate = false
  private let limits: HookLimits
  private var program: ChildProgram?
  private var timer: EventTimer?

  /// - Parameters:
  ///   - onLine: receives each line that it prints.
  ///   - ended: called once, from the loop, with `nil` if the hook succeeded.
  /// - Throws: `Message` if another user could have written it, `SystemError` if it cannot be started.
  init(
    _ hook: Hook, _ context: HookContext, loop: EventLoop, limits: HookLimits,
    onLine: @escaping (String) -> Void, ended: @escaping (Message?) -> Void
  ) throws {
    if let problem = HookTrust().problem(with: hook.path) { throw Message.notTrusted(hook, problem) }
    self.hook = hook
    self.limits = limits
    let timer = try loop.timer { [unowned self] in program?.end() }
    self.timer = timer
    program = try ChildProgram(
      [hook.path], environment: Environment.adding(context.variables), loop: loop,
      endingNanoseconds: limits.endingNanoseconds, onLine: onLine
    ) { [unowned self] in ended(failure($0)) }
    timer.arm(at: EventLoop.now + limits.runningNanoseconds)
  }

  /// Sends SIGTERM to it and its child processes.
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
