// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Runs the hooks around each turn. Nothing that they do can stop one.
@MainActor final class Hooks {
  private let loop: EventLoop
  private let finder: HookFinder
  private let limits: HookLimits
  private let log: (String) -> Void
  private var ledger = HookLedger()
  /// Whether the person wants them at all.
  var isEnabled = true
  private(set) lazy var will = queue(.will)
  private(set) lazy var did = queue(.did)
  private(set) lazy var posture = queue(.posture)

  /// To be made before a second thread starts.
  init(
    loop: EventLoop, finder: HookFinder = HookFinder(), limits: HookLimits = HookLimits(),
    log: @escaping (String) -> Void = Console.complain
  ) throws {
    self.loop = loop
    self.finder = finder
    self.limits = limits
    self.log = log
    try EventLoop.expectProcesses()
  }

  /// - Parameter ready: called when the turn may go on, at once if there is no hook.
  func willRotate(_ occasion: HookOccasion, ready: @escaping () -> Void) {
    will.add(occasion, ended: ready)
  }

  /// The turn waits no longer.
  func turnGoesOn() {
    will.leaveOutTheRest()
  }

  func didRotate(_ occasion: HookOccasion) {
    did.add(occasion)
  }

  func postureChanged(_ occasion: HookOccasion) {
    posture.add(occasion)
  }

  /// Asks what still runs to end.
  func stop() {
    posture.stop()
    will.stop()
    did.stop()
  }

  private func queue(_ kind: HookKind) -> HookQueue {
    HookQueue(
      find: { [unowned self] in isEnabled ? finder.hooks(kind) : [] },
      start: { [loop, limits, log] hook, occasion, ended in
        try HookRun(
          hook, occasion, loop: loop, limits: limits, tell: { log("\(hook.title): \($0)") }, ended: ended)
      },
      note: { [unowned self] failure, hook in
        if let sentence = ledger.note(failure, of: hook) { log(sentence) }
      })
  }
}
