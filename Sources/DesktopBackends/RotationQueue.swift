// SPDX-License-Identifier: MIT

import Autorotation

/// Turns that are asked for at once are done one after the other, none of them from within the call that asks for it.
final class RotationQueue {
  typealias Completion = (Result<Void, Message>) -> Void

  private let report: Reporter
  private let nextTurn: NextTurn
  private var waiting: [() -> Void] = []
  private(set) var isBusy = false

  init(_ report: Reporter, _ nextTurn: NextTurn) {
    self.report = report
    self.nextTurn = nextTurn
  }

  /// - Parameters:
  ///   - completion: takes what came of it, before the next one begins.
  ///   - rotation: is to call what it is given when it is done, or to throw.
  func add(
    _ turns: [PanelTurn], _ completion: @escaping Completion,
    _ rotation: @escaping (@escaping Completion) throws -> Void
  ) {
    waiting.append { [weak self] in
      let finish: Completion = { result in
        if case .success = result { self?.report.turned(turns) }
        completion(result)
        self?.next()
      }
      do {
        try rotation(finish)
      } catch {
        let failure =
          error as? Message ?? Message(.turnRefused, "\(turns.names) was not turned (\(error))")
        self?.nextTurn { finish(.failure(failure)) }
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

extension [PanelTurn] {
  /// "eDP-1, eDP-2"
  nonisolated var names: String { map(\.output).joined(separator: ", ") }
}
