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

  private func runAll() {
    let due = closures
    closures = []
    for closure in due { closure() }
  }
}

/// Steps that run one after the other, each until it calls `next`.
final class StepQueue {
  private var waiting: [() -> Void] = []
  private(set) var isBusy = false

  func add(_ step: @escaping () -> Void) {
    waiting.append(step)
    if !isBusy { next() }
  }

  /// Ends the running step.
  func next() {
    isBusy = !waiting.isEmpty
    if isBusy { waiting.removeFirst()() }
  }

  /// Removes the steps that have not begun.
  func removeAll() { waiting = [] }
}

/// Reads something when it has changed: one reading at a time, and one more if it changed meanwhile.
final class CoalescedReader {
  private let read: (_ finish: @escaping () -> Void) -> Void
  private var isReading = false
  private var isStale = false

  /// - Parameter read: must call `finish` when it has read, or failed.
  init(_ read: @escaping (_ finish: @escaping () -> Void) -> Void) {
    self.read = read
  }

  func callAsFunction() {
    isStale = true
    readIfStale()
  }

  private func readIfStale() {
    guard isStale, !isReading else { return }
    isStale = false
    isReading = true
    read { [weak self] in
      self?.isReading = false
      self?.readIfStale()
    }
  }
}
