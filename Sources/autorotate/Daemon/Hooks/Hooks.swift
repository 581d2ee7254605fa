// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Runs the hooks around each rotation. No hook can prevent a rotation.
@MainActor final class Hooks {
  private let loop: EventLoop
  private let finder: HookFinder
  private let limits: HookLimits
  private let log: (String) -> Void
  private var failures = HookFailures()
  /// Whether the settings enable hooks.
  var isEnabled = true
  private(set) lazy var will = queue(.will)
  private(set) lazy var did = queue(.did)
  private(set) lazy var posture = queue(.posture)

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

  /// - Parameter ready: called when the rotation may proceed, at once if there is no hook.
  func willRotate(_ context: HookContext, ready: @escaping () -> Void) {
    will.add(context, ended: ready)
  }

  /// The rotation no longer waits.
  func stopWaiting() {
    will.skipRemaining()
  }

  func didRotate(_ context: HookContext) {
    did.add(context)
  }

  func postureChanged(_ context: HookContext) {
    posture.add(context)
  }

  /// Sends SIGTERM to running hooks.
  func stop() {
    posture.stop()
    will.stop()
    did.stop()
  }

  private func queue(_ kind: HookKind) -> HookQueue {
    HookQueue(
      find: { [unowned self] in isEnabled ? finder.hooks(kind) : [] },
      start: { [loop, limits, log] hook, context, ended in
        try HookRun(
          hook, context, loop: loop, limits: limits, onLine: { log("\(hook.title): \($0)") }, ended: ended)
      },
      note: { [unowned self] failure, hook in
        if let sentence = failures.note(failure, of: hook) { log(sentence) }
      })
  }
}
