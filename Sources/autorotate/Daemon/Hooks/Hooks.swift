// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// Runs the hooks around each rotation. No hook can prevent a rotation.
@MainActor final class Hooks {
  let loop: EventLoop
  let limits: HookLimits
  let log: (String) -> Void
  private let finder: HookFinder
  /// The paths of hooks whose failure was logged.
  private var failing: Set<String> = []
  var isEnabled = true
  private(set) lazy var will = HookQueue(.will, of: self)
  private(set) lazy var did = HookQueue(.did, of: self)
  private(set) lazy var posture = HookQueue(.posture, of: self)

  /// Call it before a second thread starts.
  init(
    loop: EventLoop, finder: HookFinder = HookFinder(), limits: HookLimits = HookLimits(),
    log: @escaping (String) -> Void = Console.log
  ) throws {
    self.loop = loop
    self.finder = finder
    self.limits = limits
    self.log = log
    try EventLoop.expectProcesses()
  }

  /// Sends SIGTERM to running hooks.
  func stop() {
    for queue in [posture, will, did] { queue.stop() }
  }

  /// The hooks as they are now, in order.
  func hooks(_ kind: HookKind) -> [Hook] { isEnabled ? finder.hooks(kind) : [] }

  /// Logs each hook that fails, once until it works again.
  /// - Parameter failure: `nil` if the hook succeeded.
  func note(_ failure: Message?, _ hook: Hook) {
    if let failure {
      guard failing.insert(hook.path).inserted else { return }
      log(localized("\(failure). This is reported once, until the hook works again."))
    } else if failing.remove(hook.path) != nil {
      log(localized("\(hook.title) works again."))
    }
  }
}

/// Runs the hooks of one kind one after the other. No hook runs twice at the same time: a rotation that
/// happens meanwhile waits until they have ended, and of several that wait, only the last is used.
@MainActor final class HookQueue {
  private typealias QueuedRotation = (context: HookContext, ended: (() -> Void)?)
  /// `isLate` if the rotation stopped waiting for it.
  typealias RunningHook = (hook: Hook, program: ChildProgram, isLate: Bool)

  private let kind: HookKind
  private unowned let hooks: Hooks
  private var current: QueuedRotation?
  private var rest: [Hook] = []
  private(set) var running: RunningHook?
  private var waiting: QueuedRotation?

  init(_ kind: HookKind, of hooks: Hooks) {
    self.kind = kind
    self.hooks = hooks
  }

  /// - Parameter ended: called when all hooks have run for this rotation; at once if there are none, and
  ///   never if another rotation follows before.
  func add(_ context: HookContext, ended: (() -> Void)? = nil) {
    guard current == nil else { return waiting = (context.following(waiting?.context), ended) }
    begin((context, ended))
  }

  /// The rotation no longer waits: the running hook continues, the others are skipped.
  func skipRemaining() {
    waiting = nil
    let skipped = rest
    rest = []
    current?.ended = nil
    guard let running, !running.isLate else { return }
    self.running?.isLate = true
    hooks.note(.late(running.hook, skipped: skipped.map(\.name)), running.hook)
  }

  /// Sends SIGTERM to the running hook and its child processes.
  func stop() {
    waiting = nil
    rest = []
    running?.program.terminate()
  }

  private func begin(_ next: QueuedRotation) {
    current = next
    rest = hooks.hooks(kind)
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
      if let problem = hook.problem { throw problem }
      let program = try ChildProgram(
        [hook.path], environment: Environment.adding(context.variables), loop: hooks.loop,
        runningNanoseconds: hooks.limits.runningNanoseconds,
        endingNanoseconds: hooks.limits.endingNanoseconds,
        onLine: { [log = hooks.log] in log("\(hook.title): \($0)") },
        ended: { [unowned self] in note($0, hook) })
      running = (hook: hook, program: program, isLate: false)
      return true
    } catch {
      hooks.note(error as? Message ?? .notStarted(hook, error), hook)
      return false
    }
  }

  private func note(_ end: ProcessEnd, _ hook: Hook) {
    let isOverdue = running?.program.isEnding == true
    let seconds = Double(hooks.limits.runningNanoseconds) / 1e9
    let failure = isOverdue ? Message.overdue(hook, seconds: seconds) : Message.failure(of: hook, end)
    // A late hook was reported when it became late, so its end is not reported as a success.
    if failure != nil || running?.isLate != true { hooks.note(failure, hook) }
    proceed()
  }
}

/// Time limits for hooks.
struct HookLimits {
  /// From its start to SIGTERM, in nanoseconds.
  var runningNanoseconds: Int64 = 10_000_000_000
  /// From SIGTERM to SIGKILL, in nanoseconds.
  var endingNanoseconds: Int64 = 1_000_000_000
}
