// SPDX-License-Identifier: MIT

/// Turns that are asked for at once are done one after the other.
final class RotationQueue {
  /// Is to call what it is given when it is done.
  typealias Rotation = (_ done: @escaping () -> Void) -> Void

  private var waiting: [Rotation] = []
  private(set) var isBusy = false

  func add(_ rotation: @escaping Rotation) {
    waiting.append(rotation)
    if !isBusy { next() }
  }

  private func next() {
    isBusy = !waiting.isEmpty
    guard isBusy else { return }
    let rotation = waiting.removeFirst()
    rotation { [weak self] in self?.next() }
  }
}
