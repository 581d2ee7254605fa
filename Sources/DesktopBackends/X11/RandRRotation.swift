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
  /// How often the rotation was planned again.
  private var replans = 0
  /// For each, another program must have changed the layout within milliseconds.
  private static let maximumReplans = 3

  private enum Step {
    case planning
    case applying(Change)
    /// `problem`: why the rotation is reverted.
    case planningRevert(Change, problem: Phrase)
    case reverting(Change, problem: Phrase)
  }

  /// A change that was sent, forwards or back.
  private struct Change {
    var before: RandRState
    var target: RandRState
    var found: [DeviceMatrix]
    var wanted: [DeviceMatrix]
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
      case .reverting(let change, let problem): return try verifyRevert(change, problem)
      }
    } catch { return .failure(error) }
  }

  private func plan() throws(Message) -> Result<Void, Message>? {
    // Requests that need no other reply are sent at once.
    let devices = touch?.request()
    let windows = fullscreen.map { _ in FullscreenRestorer.requestWindows(randr.connection) }
    let answer = Result { () throws(Message) in try state { .refused(rotations.names, $0) } }
    let found = devices?.compactMap { $0.collect(randr.connection) } ?? []
    let clients = windows?.numbers(randr.connection) ?? []
    guard let before = try answer.get() else { return nil }
    let target = try before.rotating(rotations, visited: visited)
    fullscreen?.record(rotations.map(\.output), before, clients)
    // A late reply must not be mistaken for a missing device.
    guard !randr.connection.replies.areLate else { return nil }
    let wanted = touch?.map(found, to: target, from: before) ?? found
    let sent = send(from: before, to: target, found, wanted)
    step = .applying(Change(before: before, target: target, found: found, wanted: wanted, sent: sent))
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

  /// - Parameter present: the current matrices of the devices.
  private func send(
    from before: RandRState, to target: RandRState, _ present: [DeviceMatrix], _ wanted: [DeviceMatrix]
  ) -> RandRBatch.Sent {
    RandRBatch(randr: randr, old: before, new: target, oldMatrices: present, newMatrices: wanted).send()
  }

  private func verify(_ change: Change) -> Result<Void, Message>? {
    guard let outcome = change.sent.outcome() else { return nil }
    randr.forget()
    guard let problem = problem(outcome, change) else {
      forgetSwitchedOff(change)
      touch?.remember(change.wanted)
      fullscreen?.outputsRotated()
      return .success(())
    }
    step = .planningRevert(change, problem: problem)
    return advance()
  }

  private func revert(_ change: Change, _ problem: Phrase) throws(Message) -> Result<Void, Message>? {
    guard let now = try state({ _ in .refused(rotations.names, problem) }) else { return nil }
    let undone = now.undoing(from: change.before, to: change.target)
    if replan(change, from: now, as: undone) { return nil }
    var back = change
    (back.before, back.target, back.wanted) = (now, undone, change.found)
    back.sent = send(from: now, to: undone, change.wanted, change.found)
    step = .reverting(back, problem: problem)
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
    let sent = send(from: now, to: target, change.wanted, wanted)
    step = .applying(Change(before: undone, target: target, found: change.found, wanted: wanted, sent: sent))
    return true
  }

  private func verifyRevert(_ change: Change, _ problem: Phrase) throws(Message) -> Result<Void, Message>? {
    guard let outcome = change.sent.outcome() else { return nil }
    randr.forget()
    if let second = self.problem(outcome, change) {
      randr.switchedOff.recordFailure(because: second)
      throw .notReverted(rotations.names, problem, second)
    }
    forgetSwitchedOff(change)
    touch?.remember(change.wanted)
    throw .refused(rotations.names, problem)
  }

  /// The CRTCs that are lit in the target need no restoring.
  private func forgetSwitchedOff(_ change: Change) {
    randr.switchedOff.remove { change.target[crtc: $0.id]?.isLit ?? false }
  }

  /// Why the change has failed; `nil` if it was applied.
  private func problem(_ outcome: RandRBatch.Outcome, _ change: Change) -> Phrase? {
    outcome.error?.phrase ?? difference(between: outcome, and: change.target, change.wanted)
  }

  /// RandR may report success and show something else: only the state that is read back is reliable.
  private func difference(
    between outcome: RandRBatch.Outcome, and new: RandRState, _ wanted: [DeviceMatrix]
  ) -> Phrase? {
    guard outcome.screen == PixelSize(width: new.screen.width, height: new.screen.height) else {
      return "the screen size differs from the requested size"
    }
    for crtc in outcome.crtcs where !(new[crtc: crtc.id]?.shows(crtc) ?? false) {
      return "the driver shows another configuration than requested"
    }
    // A device that was removed meanwhile has no matrix.
    for actual in outcome.matrices {
      let requested = wanted.first { $0.device == actual.device }
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
      .turnRefused, "\(output) could not be rotated and is unchanged (\(problem))",
      next: "see the end of the X server's log for the driver's reason")
  }

  fileprivate static func notReverted(_ output: String, _ problem: Phrase, _ second: Phrase) -> Self {
    Self(
      .turnRefused, "\(output) could not be rotated (\(problem)), and could not be restored (\(second))",
      next: "restore it with `xrandr --auto`, and see the end of the X server's log")
  }
}
