// SPDX-License-Identifier: MIT

import Autorotation

/// One rotation of outputs, from the request until the compositor has done it and the outputs are seen to lie as they
/// shall: as many attempts as it takes while they keep changing, up to a limit. What cannot be reached is put back.
final class OutputTurn {
  private let turns: [PanelTurn]
  private let connection: WaylandConnection
  private let manager: OutputManager
  private let visited: VisitedArrangements
  private let finish: (Result<Void, Message>) -> Void

  private var attempt: OutputConfiguration?
  /// What was sent last.
  private var target = HeadLayout()
  /// The outputs before the first attempt.
  private var before: HeadLayout?
  /// Why they are put back as they were before; `nil` while they are rotated.
  private var failure: Message?
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
    let now = manager.measuredLayout
    target = try now.turning(turns, visited: visited)
    before = before ?? now
    try send()
  }

  private func send() throws(Message) {
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
      cancellations < Self.mostCancellations ? again() : end(.failure(failure ?? .alwaysCancelled))
    case .failed:
      failures += 1
      failures < Self.mostFailures ? again() : end(.failure(failure ?? .refused(turns)))
    }
  }

  /// Begins again from the outputs as they are when the compositor has sent all that it knew by now.
  private func again() {
    attempt = nil
    connection.afterRoundTrip { [weak self] in self?.beginAgain() }
    connection.flush()
  }

  private func beginAgain() {
    guard !isFinished else { return }
    do { failure == nil ? try begin() : try send() } catch { end(.failure(failure ?? error)) }
  }

  // MARK: Verifying

  private func verify() {
    attempt = nil
    guard !isDone else { return end(result) }
    // sway and labwc send the new state before the success, phoc 0.24 after it.
    connection.afterRoundTrip { [weak self] in self?.verifyAtLast() }
    connection.flush()
  }

  private func verifyAtLast() {
    guard !isFinished else { return }
    guard !isDone else { return end(result) }
    let layout = manager.measuredLayout
    guard failure == nil else { return end(.failure(.stuck(turns))) }
    if let gone = turns.first(where: { layout[$0.output] == nil }) {
      return end(.failure(.unplugged(gone.output)))
    }
    if let unturned = turns.first(where: { !isTurned($0, in: layout) }) {
      return putBack(.unheeded(unturned.output, shows: layout[unturned.output]?.turn ?? .none))
    }
    placeAgain(layout)
  }

  /// The outputs are rotated, and one of them has another mode or position than it was given.
  private func placeAgain(_ layout: HeadLayout) {
    failures += 1
    guard failures < Self.mostFailures else {
      // Some have the whole desktop begin at 0,0.
      return layout.isMoved(from: target) ? end(result) : putBack(.misplaced(turns))
    }
    guard layout.hasModes(of: target) else { return beginAgain() }
    do { try send() } catch { end(.failure(error)) }
  }

  private func putBack(_ reason: Message) {
    guard let before, before.isUnmet(in: manager.measuredLayout) else { return end(.failure(reason)) }
    failure = reason
    target = before
    failures = 0
    do { try send() } catch { end(.failure(reason)) }
  }

  private var result: Result<Void, Message> { failure.map(Result.failure) ?? .success(()) }

  private var isDone: Bool {
    let layout = manager.measuredLayout
    let isTurned = failure != nil || turns.allSatisfy { self.isTurned($0, in: layout) }
    return isTurned && !target.isUnmet(in: layout)
  }

  private func isTurned(_ turn: PanelTurn, in layout: HeadLayout) -> Bool {
    layout[turn.output].map { $0.isEnabled && $0.turn == turn.transform } ?? false
  }

  private func end(_ result: Result<Void, Message>) {
    guard !isFinished else { return }
    isFinished = true
    attempt = nil
    finish(result)
  }
}

extension HeadLayout {
  /// Each output of this layout beside the same one as it is now. One that is gone or off cannot be wrong.
  private func pairs(_ now: Self) -> [(wanted: Head, now: Head)] {
    heads.compactMap { wanted in
      now.heads.first { $0.id == wanted.id && $0.isEnabled && wanted.isEnabled }.map { (wanted, $0) }
    }
  }

  fileprivate func isUnmet(in now: Self) -> Bool {
    pairs(now).contains {
      ($0.wanted.x, $0.wanted.y, $0.wanted.transform) != ($0.now.x, $0.now.y, $0.now.transform)
    } || !hasModes(of: now)
  }

  fileprivate func hasModes(of other: Self) -> Bool {
    pairs(other).allSatisfy { $0.wanted.mode == nil || $0.now.mode == nil || $0.wanted.mode == $0.now.mode }
  }

  /// Whether this differs from another layout only in where the whole desktop begins.
  fileprivate func isMoved(from other: Self) -> Bool {
    let pairs = other.pairs(self)
    let offsets = pairs.map { pair in
      [Int64(pair.now.x) - Int64(pair.wanted.x), Int64(pair.now.y) - Int64(pair.wanted.y)]
    }
    let areTurned = pairs.allSatisfy { $0.wanted.transform == $0.now.transform }
    return Set(offsets).count <= 1 && areTurned && hasModes(of: other)
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

  fileprivate static func misplaced(_ turns: [PanelTurn]) -> Self {
    Self(
      .turnRefused,
      "the compositor does not place the outputs as it is asked to, so \(turns.names) is rotated back",
      next: "see whether another program places them (kanshi, way-displays)")
  }

  fileprivate static func stuck(_ turns: [PanelTurn]) -> Self {
    Self(
      .turnRefused, "the compositor did not rotate \(turns.names), nor put the outputs back",
      next: "set them right with `wlr-randr`")
  }
}
