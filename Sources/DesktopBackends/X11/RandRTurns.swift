// SPDX-License-Identifier: MIT

import Autorotation

/// Turns that were asked for. The first one is under way, and goes on when the server has answered.
final class RandRTurns {
  private struct Turn {
    var rotation: RandRRotation
    var completion: (Result<Void, Message>) -> Void
    /// What came of it, if that was known at once: it is told in the next pass, before anything that came later.
    var result: Result<Void, Message>?
  }

  private let report: Reporter
  private var turns: [Turn] = []
  /// Called before it is told that a turn has failed.
  var willFail: () -> Void = {}

  init(_ report: Reporter) {
    self.report = report
  }

  var isEmpty: Bool { turns.isEmpty }
  /// Whether something is on its way that cannot be called back.
  var areSent: Bool { turns.contains(where: \.rotation.isSent) }

  func add(_ rotation: RandRRotation, _ completion: @escaping (Result<Void, Message>) -> Void) {
    turns.append(Turn(rotation: rotation, completion: completion))
  }

  /// Begins with the one that was added last, if it is the only one and the server answers.
  /// - Returns: whether it is over, which `tellResult` tells.
  func begin(_ replies: X11Replies) -> Bool {
    guard turns.count == 1, replies.beginPass(), let result = turns[0].rotation.advance() else {
      return false
    }
    turns[0].result = result
    return true
  }

  /// Also when the server has ended, and nothing goes on.
  func tellResult() {
    if let result = turns.first?.result { finishFirst(result) }
  }

  func advance() {
    while let turn = turns.first, let result = turn.result ?? turn.rotation.advance() { finishFirst(result) }
  }

  private func finishFirst(_ result: Result<Void, Message>) {
    let turn = turns.removeFirst()
    switch result {
    case .success: report.turned(turn.rotation.turns)
    case .failure: willFail()
    }
    turn.completion(result)
  }

  /// What was not sent yet may be out of date by the time it could be.
  func failUnsent(_ failure: (_ output: String) -> Message) {
    let unsent = turns.filter { !$0.rotation.isSent }
    turns.removeAll { !$0.rotation.isSent }
    for turn in unsent { turn.completion(.failure(failure(turn.rotation.turns.names))) }
  }

  func failAll(_ failure: (_ output: String) -> Message) {
    let lost = turns
    turns = []
    for turn in lost { turn.completion(.failure(failure(turn.rotation.turns.names))) }
  }

  func forget() {
    turns = []
  }
}
