// SPDX-License-Identifier: MIT

import Autorotation

/// Turns that are asked for at once are done one after the other.
final class RotationQueue {
  typealias Completion = (Result<Void, Message>) -> Void

  private let report: Reporter
  private var waiting: [() -> Void] = []
  private(set) var isBusy = false

  init(_ report: Reporter) {
    self.report = report
  }

  /// - Parameters:
  ///   - completion: takes what came of it, before the next one begins.
  ///   - rotation: is to call what it is given when it is done.
  func add(
    _ transform: DisplayTransform, to output: String, _ completion: @escaping Completion,
    _ rotation: @escaping (@escaping Completion) -> Void
  ) {
    waiting.append { [weak self] in
      rotation { result in
        if case .success = result { self?.report.turned(output, to: transform) }
        completion(result)
        self?.next()
      }
    }
    if !isBusy { next() }
  }

  private func next() {
    isBusy = !waiting.isEmpty
    guard isBusy else { return }
    waiting.removeFirst()()
  }
}
