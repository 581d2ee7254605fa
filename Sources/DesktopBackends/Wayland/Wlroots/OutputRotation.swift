// SPDX-License-Identifier: MIT

import Autorotation

/// One rotation of outputs, from the request until the outputs have the new layout: repeated while they keep
/// changing, up to a limit. If it fails, the layout before is restored.
final class OutputRotation {
  private let rotations: [PanelRotation]
  private let connection: WaylandConnection
  private let manager: OutputManager
  private let visited: ArrangementHistory
  private var finish: ((Result<Void, Message>) -> Void)?

  private var attempt: OutputConfiguration?
  /// Of the last attempt; while restoring, of the first.
  private var change: LayoutChange?
  private var first: LayoutChange?
  /// Why the previous layout is being restored; `nil` during the rotation.
  private var failure: Message?
  private var cancellations = 0
  private var failures = 0
  private var misplacements = 0
  var isFinished: Bool { finish == nil }

  /// Cancelled by other changes in between. Each takes a round trip, and arranging outputs takes fewer.
  static let maximumCancellations = 8
  /// A driver may refuse once while it is busy.
  static let maximumFailures = 2

  /// - Parameter finish: called once, never from within `begin`.
  init(
    _ rotations: [PanelRotation], _ connection: WaylandConnection, _ manager: OutputManager,
    visited: ArrangementHistory, finish: @escaping (Result<Void, Message>) -> Void
  ) {
    self.rotations = rotations
    self.connection = connection
    self.manager = manager
    self.visited = visited
    self.finish = finish
  }

  /// Sends the first attempt.
  /// - Throws: why it cannot succeed.
  func begin() throws(Message) {
    if let failure = connection.failure { throw failure }
    guard !connection.isSendBufferFull else { throw .sendBufferFull }
    change = try LayoutChange(rotations, among: manager.outputs, visited: visited)
    first = first ?? change
    try send()
  }

  private func send() throws(Message) {
    attempt = change.flatMap { change in
      OutputConfiguration(manager, target: change.outputs(goal)) { [weak self] in self?.receive($0) }
    }
    guard attempt != nil else { throw .outputsUnknown }
    connection.flush()
  }

  private func receive(_ answer: OutputConfiguration.Answer) {
    switch answer {
    case .succeeded: verify()
    case .cancelled:
      cancellations += 1
      cancellations < Self.maximumCancellations ? retry() : end(.failure(failure ?? .alwaysCancelled))
    case .failed:
      failures += 1
      if failures < Self.maximumFailures { return retry(isPlanned: misplacements > 0) }
      if failure == nil, manager.outputs.show(rotations) { return restore(.refused(rotations)) }
      end(.failure(failure ?? .refused(rotations)))
    }
  }

  /// Starts again after a round trip.
  /// - Parameter isPlanned: whether the current outputs are misplaced, so that the last plan is sent again.
  private func retry(isPlanned: Bool = false) {
    attempt = nil
    connection.afterRoundTrip { [weak self] in self?.beginAgain(isPlanned: isPlanned) }
  }

  private func beginAgain(isPlanned: Bool = false) {
    guard !isFinished else { return }
    let isSentAgain = failure != nil || isPlanned && change?.hasModes(of: manager.outputs) == true
    do { isSentAgain ? try send() : try begin() } catch { end(.failure(failure ?? error)) }
  }

  // MARK: Verifying

  private func verify() {
    attempt = nil
    guard !isReached(manager.outputs) else { return end(result) }
    // sway and labwc send the new state before the success, phoc 0.24 after it.
    connection.afterRoundTrip { [weak self] in self?.verifyAfterRoundTrip() }
  }

  private func verifyAfterRoundTrip() {
    guard !isFinished else { return }
    guard !isReached(manager.outputs) else { return end(result) }
    let outputs = manager.outputs
    guard failure == nil else { return end(.failure(.notRestored(rotations))) }
    if let gone = rotations.first(where: { outputs[$0.output] == nil }) {
      return end(.failure(.unplugged(gone.output)))
    }
    if let unrotated = rotations.first(where: { !outputs.show([$0]) }) {
      return restore(.ineffective(unrotated.output, shows: outputs[unrotated.output]?.rotation ?? .none))
    }
    if let change { placeAgain(change, outputs) }
  }

  /// The outputs are rotated, but one has another mode or position than requested.
  private func placeAgain(_ change: LayoutChange, _ outputs: [CompositorOutput]) {
    misplacements += 1
    guard misplacements < Self.maximumFailures else {
      // Some compositors move the whole desktop to 0,0.
      return change.isMoved(outputs) ? end(result) : restore(.misplaced(rotations))
    }
    guard change.hasModes(of: outputs) else { return beginAgain() }
    do { try send() } catch { end(.failure(error)) }
  }

  private func restore(_ reason: Message) {
    failure = reason
    change = first
    guard !isReached(manager.outputs) else { return end(.failure(reason)) }
    failures = 0
    do { try send() } catch { end(.failure(reason)) }
  }

  private var result: Result<Void, Message> { failure.map(Result.failure) ?? .success(()) }

  private var goal: LayoutChange.Goal { failure == nil ? .after : .before }

  private func isReached(_ outputs: [CompositorOutput]) -> Bool {
    guard let change else { return false }
    let isRotated = goal == .before || outputs.show(rotations)
    return isRotated && change.unmet(goal, in: outputs).isEmpty && change.hasModes(of: outputs)
  }

  /// What was sent may still be carried out.
  func end(_ result: Result<Void, Message>) {
    attempt = nil
    finish.take()?(result)
  }
}

extension LayoutChange {
  /// Whether all outputs have the mode that this was computed for.
  fileprivate func hasModes(of now: [CompositorOutput]) -> Bool {
    pairs(.after, in: now).allSatisfy { target, now in
      target.size == nil || now.size == nil || target.size == now.size
    }
  }

  /// Whether the outputs differ from the new layout only by the origin of the desktop.
  fileprivate func isMoved(_ now: [CompositorOutput]) -> Bool {
    let offsets = pairs(.after, in: now).map { target, now in
      [now.rectangle.x - target.rectangle.x, now.rectangle.y - target.rectangle.y]
    }
    return Set(offsets).count <= 1 && unrotated(.after, in: now).isEmpty && hasModes(of: now)
  }
}

extension Message {
  /// The rotation may still be applied.
  static let noAnswer = Self(
    .rotationUnanswered, "the compositor does not answer",
    next: "if it does not recover, log out and in again")
  /// The rotation was not sent.
  fileprivate static let sendBufferFull = Self(.displaySilent, noAnswer.what, next: noAnswer.next)
  fileprivate static let outputsUnknown = Self(
    .displayNone, "the compositor has not listed its outputs yet", next: "try again in a moment")
  fileprivate static let alwaysCancelled = Self(
    .rotationIgnored, "the compositor keeps reporting that its outputs have just changed",
    next: "check whether another program keeps changing them (kanshi, way-displays), and try again")

  fileprivate static func refused(_ rotations: [PanelRotation]) -> Self {
    Self(
      .rotationRefused, "the compositor refused to rotate \(rotations.names)",
      next: "check its log, and try `wlr-randr --output \(rotations[0].output.asArgument) --transform 90`")
  }

  fileprivate static func ineffective(_ name: String, shows rotation: DisplayTransform) -> Self {
    Self(
      .rotationIgnored, "the compositor confirmed the rotation of \(name), but shows it \(rotation.words)",
      next: "check whether another program rotates it too (kanshi, way-displays)")
  }

  fileprivate static func misplaced(_ rotations: [PanelRotation]) -> Self {
    Self(
      .rotationRefused,
      "the compositor does not place the outputs as requested, so \(rotations.names) is rotated back",
      next: "check whether another program places them (kanshi, way-displays)")
  }

  fileprivate static func notRestored(_ rotations: [PanelRotation]) -> Self {
    Self(
      .rotationRefused, "the compositor neither rotated \(rotations.names) nor put the outputs back",
      next: "restore them with `wlr-randr`")
  }
}
