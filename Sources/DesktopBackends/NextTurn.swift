// SPDX-License-Identifier: MIT

import System

/// Makes calls at the next turn of the loop, in order: for what must not happen from within a call.
final class NextTurn {
  private var calls: [() -> Void] = []
  private var timer: EventTimer?

  init(_ loop: EventLoop) throws {
    timer = try loop.timer { [weak self] in self?.callAll() }
  }

  func callAsFunction(_ call: @escaping () -> Void) {
    calls.append(call)
    timer?.arm(at: 0)
  }

  func cancel() {
    calls = []
    timer?.cancel()
    timer = nil
  }

  private func callAll() {
    let due = calls
    calls = []
    for call in due { call() }
  }
}
