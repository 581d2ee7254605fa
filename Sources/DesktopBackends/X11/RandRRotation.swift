// SPDX-License-Identifier: MIT

import Autorotation

/// Rotates outputs: plans the new layout, applies it in one batch, reads it back, and reverts it if the result differs.
/// If another program has changed the layout meanwhile, such as for a new monitor, it plans again. Nothing here waits
/// for the server: it continues when the server has answered.
final class RandRRotation {
  private let randr: RandR
  private let touch: TouchMapping?
  private let visited: ArrangementHistory
  private let fullscreen: FullscreenRestorer?
  let rotations: [PanelRotation]
  private var step = Step.planning
  private var replans = 0
  /// For each, another program must have changed the layout within milliseconds.
  private static let maximumReplans = 3

  private enum Step {
    case planning
    case applying(Change)
    /// `problem`: why the rotation is reverted.
    case planningRevert(Change, problem: Phrase)
    case reverting(RandRBatch.Sent, problem: Phrase)
  }

  /// A change that was sent, and the state to restore if it fails.
  private struct Change {
    var before: RandRState
    var found: [DeviceMatrix]
    var sent: RandRBatch.Sent
  }

  init(
    _ rotations: [PanelRotation], randr: RandR, touch: TouchMapping?, fullscreen: FullscreenRestorer?,
    visited: ArrangementHistory
  ) {
    self.rotations = rotations
    self.randr = randr
    self.touch = touch
    self.visited = visited
    self.fullscreen = fullscreen
  }

  /// Whether requests were sent that cannot be cancelled.
  var hasSentRequests: Bool {
    if case .planning = step { false } else { true }
  }

  /// Continues as far as the server has answered.
  /// - Returns: the result, once; `nil` until then.
  func advance() -> Result<Void, Message>? {
    do throws(Message) {
      switch step {
      case .planning: return try plan()
      case .applying(let change): return verify(change)
      case .planningRevert(let change, let problem): return try revert(change, problem)
      case .reverting(let sent, let problem): return try verifyRevert(sent, problem)
      }
    } catch { return .failure(error) }
  }

  private func plan() throws(Message) -> Result<Void, Message>? {
    // Requests that need no other reply are sent at once.
    let devices = touch?.request()
    let windows = fullscreen.map { _ in FullscreenRestorer.requestWindows(randr.connection) }
    let answer = Result { () throws(Message) in try state { .refused(rotations.names, $0) } }
    let found = devices?.compactMap { $0() } ?? []
    let clients = windows?.numbers() ?? []
    guard let before = try answer.get() else { return nil }
    let target = try before.rotating(rotations, visited: visited)
    fullscreen?.record(rotations.map(\.output), before, clients)
    // A late reply must not be mistaken for a missing device.
    guard !randr.connection.replies.areLate else { return nil }
    let wanted = touch?.map(found, to: target, from: before) ?? found
    let batch = RandRBatch(randr: randr, old: before, new: target, oldMatrices: found, newMatrices: wanted)
    step = .applying(Change(before: before, found: found, sent: batch.send()))
    return nil
  }

  /// - Returns: `nil` if the server does not answer in time, so that the request has to be repeated.
  private func state(_ failure: (_ problem: Phrase) -> Message) throws(Message) -> RandRState? {
    do {
      return try randr.read()
    } catch {
      if error.code == .displaySilent { return nil }
      throw failure(error.phrase)
    }
  }

  private func verify(_ change: Change) -> Result<Void, Message>? {
    guard let outcome = change.sent.outcome() else { return nil }
    guard let problem = problem(outcome, change.sent.batch) else {
      remember(change.sent.batch)
      fullscreen?.outputsRotated()
      return .success(())
    }
    step = .planningRevert(change, problem: problem)
    return advance()
  }

  private func revert(_ change: Change, _ problem: Phrase) throws(Message) -> Result<Void, Message>? {
    guard let now = try state({ _ in .refused(rotations.names, problem) }) else { return nil }
    let failed = change.sent.batch
    let undone = now.undoing(from: change.before, to: failed.new)
    if replan(change, from: now, as: undone) { return nil }
    let back = RandRBatch(
      randr: randr, old: now, new: undone, oldMatrices: failed.newMatrices, newMatrices: change.found)
    step = .reverting(back.send(), problem: problem)
    return nil
  }

  /// Plans again where another program has changed the layout since it was read.
  /// - Parameter undone: the state without the effects of this rotation.
  /// - Returns: whether a new plan was sent.
  private func replan(_ change: Change, from now: RandRState, as undone: RandRState) -> Bool {
    guard replans < Self.maximumReplans, !undone.isLaidOut(as: change.before),
      let target = try? undone.rotating(rotations, visited: visited)
    else { return false }
    replans += 1
    let wanted = touch?.map(change.found, to: target, from: undone) ?? change.found
    let present = change.sent.batch.newMatrices
    let batch = RandRBatch(randr: randr, old: now, new: target, oldMatrices: present, newMatrices: wanted)
    step = .applying(Change(before: undone, found: change.found, sent: batch.send()))
    return true
  }

  private func verifyRevert(
    _ sent: RandRBatch.Sent, _ problem: Phrase
  ) throws(Message) -> Result<Void, Message>? {
    guard let outcome = sent.outcome() else { return nil }
    if let second = self.problem(outcome, sent.batch) {
      randr.switchedOff.recordFailure(because: second)
      throw .notReverted(rotations.names, problem, second)
    }
    remember(sent.batch)
    throw .refused(rotations.names, problem)
  }

  /// To be called when a change was applied. The CRTCs that are lit now need no restoring.
  private func remember(_ applied: RandRBatch) {
    randr.switchedOff.remove { applied.new[crtc: $0.id]?.isLit ?? false }
    touch?.remember(applied.newMatrices)
  }

  /// Why the change has failed; `nil` if it was applied. RandR may report success and show something else: only the
  /// state that is read back is reliable.
  private func problem(_ outcome: RandRBatch.Outcome, _ batch: RandRBatch) -> Phrase? {
    if let error = outcome.error { return error.phrase }
    let new = batch.new
    guard outcome.screen == new.screen.size else {
      return "the screen size differs from the requested size"
    }
    for crtc in outcome.crtcs where !(new[crtc: crtc.id]?.shows(crtc) ?? false) {
      return "the driver shows another configuration than requested"
    }
    // A device that was removed meanwhile has no matrix.
    for actual in outcome.matrices {
      let requested = batch.newMatrices.first { $0.device == actual.device }
      if let requested, !requested.matrix.isClose(to: actual.matrix) {
        return "the matrix of “\(actual.device.name)” did not change"
      }
    }
    return nil
  }
}

extension Message {
  fileprivate static func refused(_ output: String, _ problem: Phrase) -> Self {
    Self(
      .rotationRefused, "\(output) could not be rotated and is unchanged (\(problem))",
      next: "see the end of the X server's log for the driver's reason")
  }

  fileprivate static func notReverted(_ output: String, _ problem: Phrase, _ second: Phrase) -> Self {
    Self(
      .rotationRefused, "\(output) could not be rotated (\(problem)), and could not be restored (\(second))",
      next: "restore it with `xrandr --auto`, and see the end of the X server's log")
  }
}
