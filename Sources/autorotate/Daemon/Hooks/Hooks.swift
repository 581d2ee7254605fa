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
  /// Whether the settings enable hooks.
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

  private let kind: HookKind
  private unowned let hooks: Hooks
  private var current: QueuedRotation?
  private var rest: [Hook] = []
  private(set) var running: HookRun?
  private var waiting: QueuedRotation?

  init(_ kind: HookKind, of hooks: Hooks) {
    self.kind = kind
    self.hooks = hooks
  }

  /// - Parameter ended: called when all hooks have run for this rotation; at once if there are none, and
  ///   never if another rotation follows before.
  func add(_ context: HookContext, ended: (() -> Void)? = nil) {
    guard current == nil else {
      waiting = (context.following(waiting?.context), ended)
      return
    }
    begin((context, ended))
  }

  /// The rotation no longer waits: the running hook continues, the others are skipped.
  func skipRemaining() {
    waiting = nil
    let skipped = rest
    rest = []
    current?.ended = nil
    guard let running, !running.isLate else { return }
    running.isLate = true
    hooks.note(.late(running.hook, skipped: skipped.map(\.name)), running.hook)
  }

  func stop() {
    waiting = nil
    rest = []
    running?.stop()
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
      running = try HookRun(hook, context, of: hooks) { [unowned self] failure in
        // A late hook was reported when it became late, so its end is not reported as a success.
        if failure != nil || running?.isLate != true { hooks.note(failure, hook) }
        proceed()
      }
      return true
    } catch {
      hooks.note(error as? Message ?? .notStarted(hook, error), hook)
      return false
    }
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
  private var program: ChildProgram?
  private var timer: EventTimer?

  /// - Parameter ended: called once, from the loop, with `nil` if the hook succeeded.
  /// - Throws: `Message` if another user could have written it, `SystemError` if it cannot be started.
  init(_ hook: Hook, _ context: HookContext, of hooks: Hooks, ended: @escaping (Message?) -> Void) throws {
    if let problem = FileTrust().problem(with: hook.path) { throw Message.notTrusted(hook, problem) }
    self.hook = hook
    let limits = hooks.limits
    let deadline = EventLoop.now + limits.runningNanoseconds
    timer = try hooks.loop.timer(at: deadline) { [unowned self] in program?.end() }
    program = try ChildProgram(
      [hook.path], environment: Environment.adding(context.variables), loop: hooks.loop,
      endingNanoseconds: limits.endingNanoseconds,
      onLine: { [log = hooks.log] in log("\(hook.title): \($0)") }
    ) { [unowned self] end in
      timer?.cancel()
      if program?.isEnding == true {
        ended(.overdue(hook, seconds: Double(limits.runningNanoseconds) / 1e9))
      } else {
        ended(.failure(of: hook, end))
      }
    }
  }

  /// Sends SIGTERM to it and its child processes.
  func stop() { program?.terminate() }
}
