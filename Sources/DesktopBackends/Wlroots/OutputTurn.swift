// SPDX-License-Identifier: MIT

import Autorotation

/// The turning of outputs, from the asking to the compositor's word that it is done: as many attempts as it
/// takes while the outputs keep changing, up to a limit.
final class OutputTurn {
  private let turns: [PanelTurn]
  private let connection: WaylandConnection
  private let manager: OutputManager
  private let visited: VisitedArrangements
  private let finish: (Result<Void, Message>) -> Void

  private var attempt: OutputConfiguration?
  private var cancellations = 0
  private var failures = 0
  private(set) var isFinished = false

  /// Of other changes in between. Each takes a round trip, and a desk is laid out in fewer.
  static let mostCancellations = 8
  /// A driver may refuse once while it is busy.
  static let mostFailures = 2

  /// - Parameter finish: called once, never from within `begin`.
  init(
    _ turns: [PanelTurn], _ connection: WaylandConnection, _ manager: OutputManager,
    visited: VisitedArrangements, finish: @escaping (Result<Void, Message>) -> Void
  ) {
    self.turns = turns
    self.connection = connection
    self.manager = manager
    self.visited = visited
    self.finish = finish
  }

  /// Sends the first attempt.
  /// - Throws: why there is no use in it.
  func begin() throws(Message) {
    guard !connection.isClogged else { throw .noAnswer }
    let target = try manager.measuredLayout.turning(turns, visited: visited)
    attempt = OutputConfiguration(manager, target: target) { [weak self] in self?.take($0) }
    guard attempt != nil else { throw .notThereYet }
    connection.flush()
  }

  /// Ends it without success; what was sent may still be carried out.
  func fail(_ failure: Message) {
    end(.failure(failure))
  }

  private func take(_ answer: OutputConfiguration.Answer) {
    switch answer {
    case .succeeded: verify()
    case .cancelled:
      cancellations += 1
      cancellations < Self.mostCancellations ? again() : end(.failure(.alwaysCancelled))
    case .failed:
      failures += 1
      failures < Self.mostFailures ? again() : end(.failure(.refused(turns)))
    }
  }

  /// Begins anew from the outputs as they are when the compositor has told all that it knew by now.
  private func again() {
    attempt = nil
    connection.afterRoundTrip { [weak self] in self?.beginAgain() }
    connection.flush()
  }

  private func beginAgain() {
    guard !isFinished else { return }
    do { try begin() } catch { end(.failure(error)) }
  }

  private func verify() {
    attempt = nil
    guard !isDone else { return end(.success(())) }
    // sway and labwc tell the new state before they tell of the success, phoc 0.24 after that.
    connection.afterRoundTrip { [weak self] in self?.verifyAtLast() }
    connection.flush()
  }

  private func verifyAtLast() {
    guard !isFinished else { return }
    let layout = manager.layout
    if let gone = turns.first(where: { layout[$0.output] == nil }) {
      return end(.failure(.unplugged(gone.output)))
    }
    guard let undone = turns.first(where: { !isDone($0) }) else { return end(.success(())) }
    end(.failure(.unheeded(undone.output, shows: layout[undone.output]?.turn ?? .none)))
  }

  private var isDone: Bool { turns.allSatisfy(isDone) }

  private func isDone(_ turn: PanelTurn) -> Bool {
    manager.layout[turn.output].map { $0.isEnabled && $0.turn == turn.transform } ?? false
  }

  private func end(_ result: Result<Void, Message>) {
    guard !isFinished else { return }
    isFinished = true
    attempt = nil
    finish(result)
  }
}

extension Message {
  static let noAnswer = Self(
    .displaySilent, "the compositor does not answer", next: "if it does not recover, log out and in again")
  fileprivate static let notThereYet = Self(
    .displayNone, "the compositor has not told its outputs yet", next: "try again in a moment")
  fileprivate static let alwaysCancelled = Self(
    .turnIgnored, "the compositor says each time that its outputs have just changed",
    next: "see whether another program keeps changing them (kanshi, way-displays), and try again")

  fileprivate static func refused(_ turns: [PanelTurn]) -> Self {
    Self(
      .turnRefused, "the compositor refused to turn \(turns.names)",
      next:
        "see its log for the reason, and whether `wlr-randr --output \(turns[0].output) --transform 90` can")
  }

  fileprivate static func unheeded(_ name: String, shows turn: DisplayTransform) -> Self {
    Self(
      .turnIgnored, "the compositor said that it had turned \(name), but shows it \(turn.words)",
      next: "see whether another program turns it too (kanshi, way-displays)")
  }
}
