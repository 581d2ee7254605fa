// SPDX-License-Identifier: MIT

import Autorotation

/// Rotates outputs: plans the new layout, changes it in one batch, reads it back, and takes it back if that differs. Where
/// another program has changed the layout meanwhile, such as for a monitor that was plugged in, it plans again. Nothing
/// here waits for the server: it continues when the server has answered.
final class RandRRotation {
  private let randr: RandR
  private let touch: TouchMapping?
  private let visited: VisitedArrangements
  private let fullscreen: FullscreenKeeper?
  private let lifeline: Lifeline?
  let turns: [PanelTurn]
  private var step = Step.thinking
  /// How often it was planned again.
  private var replans = 0
  /// Each time another program must have changed the layout within milliseconds.
  private static let mostReplans = 3

  private enum Step {
    case thinking
    case changing(Change)
    /// `problem`: why.
    case thinkingBack(Change, problem: Phrase)
    case takingBack(Change, problem: Phrase)
  }

  /// One way, sent.
  private struct Change {
    var before: RandRState
    var target: RandRState
    var found: [DeviceMatrix]
    var wanted: [DeviceMatrix]
    var sent: RandRBatch.Sent
  }

  init(
    _ turns: [PanelTurn], randr: RandR, touch: TouchMapping?, lifeline: Lifeline?,
    fullscreen: FullscreenKeeper? = nil, visited: VisitedArrangements
  ) {
    self.turns = turns
    self.randr = randr
    self.touch = touch
    self.visited = visited
    self.fullscreen = fullscreen
    self.lifeline = lifeline
  }

  /// Whether something is on its way that cannot be called back.
  var isSent: Bool {
    if case .thinking = step { false } else { true }
  }

  /// Goes on as far as the server has answered.
  /// - Returns: what came of it, once; `nil` until then.
  func advance() -> Result<Void, Message>? {
    do throws(Message) {
      switch step {
      case .thinking: return try think()
      case .changing(let change): return judge(change)
      case .thinkingBack(let change, let problem): return try takeBack(change, problem)
      case .takingBack(let change, let problem): return try judgeTakingBack(change, problem)
      }
    } catch { return .failure(error) }
  }

  private func think() throws(Message) -> Result<Void, Message>? {
    // All that needs no answer to another question goes out at once.
    let (devices, windows) = (touch?.ask(), fullscreen?.askWindows())
    let answer = Result { () throws(Message) in try state { .refused(turns.names, $0) } }
    let found = devices?.collect() ?? []
    let clients = windows?.numbers(randr.connection) ?? []
    guard let before = try answer.get() else { return nil }
    let target = try before.turning(turns, visited: visited)
    fullscreen?.note(turns.map(\.output), before, clients)
    // What did not come in time must not pass for what is not there.
    guard !randr.connection.replies.areLate else { return nil }
    let wanted = touch?.map(found, to: target, from: before) ?? found
    let sent = send(from: before, to: target, found, wanted)
    step = .changing(Change(before: before, target: target, found: found, wanted: wanted, sent: sent))
    return nil
  }

  /// - Returns: `nil` if the server does not answer in time, and is to be asked again.
  private func state(
    _ failure: (_ problem: Phrase) -> Message
  ) throws(Message) -> RandRState? {
    do {
      return try randr.read()
    } catch {
      if error.code == .displaySilent { return nil }
      throw failure(error.phrase)
    }
  }

  /// - Parameter present: the matrices that are on the devices now.
  private func send(
    from before: RandRState, to target: RandRState, _ present: [DeviceMatrix], _ wanted: [DeviceMatrix]
  ) -> RandRBatch.Sent {
    let batch = RandRBatch(
      randr: randr, lifeline: lifeline, from: before, to: target, oldMatrices: present, newMatrices: wanted)
    let sent = batch.send(readingBack: target.crtcs.filter(\.isLit).map(\.id))
    randr.forget()
    return sent
  }

  private func judge(_ change: Change) -> Result<Void, Message>? {
    guard let outcome = change.sent.outcome() else { return nil }
    randr.forget()
    guard let problem = problem(outcome, change) else {
      forgetSwitchedOff(change)
      touch?.remember(change.wanted)
      fullscreen?.turned()
      return .success(())
    }
    step = .thinkingBack(change, problem: problem)
    return advance()
  }

  private func takeBack(
    _ change: Change, _ problem: Phrase
  ) throws(Message) -> Result<Void, Message>? {
    guard let now = try state({ _ in .refused(turns.names, problem) }) else { return nil }
    let undone = now.undoing(from: change.before, to: change.target)
    if replan(change, from: now, as: undone) { return nil }
    var back = change
    (back.before, back.target, back.wanted) = (now, undone, change.found)
    back.sent = send(from: now, to: undone, change.wanted, change.found)
    step = .takingBack(back, problem: problem)
    return nil
  }

  /// Plans again where another program has changed the layout since it was read.
  /// - Parameter undone: the state as if nothing of this rotation had been done.
  /// - Returns: whether there is something to try.
  private func replan(_ change: Change, from now: RandRState, as undone: RandRState) -> Bool {
    guard replans < Self.mostReplans, !undone.isLaidOut(as: change.before),
      let target = try? undone.turning(turns, visited: visited)
    else { return false }
    replans += 1
    let wanted = touch?.map(change.found, to: target, from: undone) ?? change.found
    let sent = send(from: now, to: target, change.wanted, wanted)
    step = .changing(
      Change(before: undone, target: target, found: change.found, wanted: wanted, sent: sent))
    return true
  }

  private func judgeTakingBack(
    _ change: Change, _ problem: Phrase
  ) throws(Message) -> Result<Void, Message>? {
    guard let outcome = change.sent.outcome() else { return nil }
    randr.forget()
    if let second = self.problem(outcome, change) {
      randr.switchedOff.fail(because: second)
      throw .stuck(turns.names, problem, second)
    }
    forgetSwitchedOff(change)
    touch?.remember(change.wanted)
    throw .refused(turns.names, problem)
  }

  /// All of them are lit as in the target.
  private func forgetSwitchedOff(_ change: Change) {
    randr.switchedOff.remove { change.target[crtc: $0.id]?.isLit ?? false }
  }

  /// What went wrong.
  private func problem(_ outcome: RandRBatch.Outcome, _ change: Change) -> Phrase? {
    outcome.error?.phrase ?? difference(between: outcome, and: change.target, change.wanted)
  }

  /// RandR may say that it succeeded and show something else: only what is read back counts.
  private func difference(
    between outcome: RandRBatch.Outcome, and new: RandRState, _ wanted: [DeviceMatrix]
  ) -> Phrase? {
    guard outcome.screen == RandRState.Size(width: new.screen.width, height: new.screen.height) else {
      return "the screen has another size than asked for"
    }
    for crtc in outcome.crtcs where !(new[crtc: crtc.id]?.shows(crtc) ?? false) {
      return "the driver shows something else than asked for"
    }
    // A device that has vanished meanwhile has no matrix to be wrong.
    for actual in outcome.matrices {
      let asked = wanted.first { $0.device == actual.device }
      if let asked, !asked.matrix.isClose(to: actual.matrix) {
        return "the matrix of “\(actual.device.name)” did not change"
      }
    }
    return nil
  }
}

extension Message {
  fileprivate static func refused(_ output: String, _ problem: Phrase) -> Self {
    Self(
      .turnRefused, "\(output) could not be turned and is as before (\(problem))",
      next: "see the end of the X server's log for the driver's reason")
  }

  fileprivate static func stuck(_ output: String, _ problem: Phrase, _ second: Phrase) -> Self {
    Self(
      .turnRefused, "\(output) could not be turned (\(problem)), nor be put back (\(second))",
      next: "set it right with `xrandr --auto`, and see the end of the X server's log")
  }
}
