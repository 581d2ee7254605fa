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
    posture.stop()
    will.stop()
    did.stop()
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
