// SPDX-License-Identifier: MIT

import System

/// Runs closures in the next pass of the loop, in order: for callbacks that must not be called from within a call.
final class NextLoopPass {
  private var closures: [() -> Void] = []
  private var timer: EventTimer?

  init(_ loop: EventLoop) throws {
    timer = try loop.timer { [weak self] in self?.runAll() }
  }

  func callAsFunction(_ closure: @escaping () -> Void) {
    closures.append(closure)
    timer?.arm(at: 0)
  }

  func cancel() {
    closures = []
    timer = nil
  }

  private func runAll() {
    let due = closures
    closures = []
    for closure in due { closure() }
  }
}
