// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Lights what a rotation has switched off and the X server then refused to light again, in the new way and in the old.
///
/// It tries at each change of the outputs, when the screen becomes visible, when the user asks, and from time to time. The
/// timer is armed only while something is off.
final class OutputRestoration {
  private let randr: RandR
  private let lifeline: Lifeline?
  /// What the server may have to handle before it can light anything.
  private let messages: QueuedBusMessages?
  private var timer: EventTimer?
  private var schedule = RestorationSchedule()
  private var attempt: RandRBatch.Sent?
  /// After the last attempt, whose own events are no reason for another.
  private var lastSeen: RandRState?
  private var isVisible = true

  /// - Parameter due: called when it is time for an attempt.
  init(_ randr: RandR, lifeline: Lifeline?, loop: EventLoop, due: @escaping () -> Void) throws {
    self.randr = randr
    self.lifeline = lifeline
    messages = QueuedBusMessages(randr.connection, loop: loop)
    timer = try loop.timer(due)
  }

  isolated deinit {
    timer?.cancel()
  }

  /// Whether an attempt is on its way.
  var isSent: Bool { attempt != nil }

  /// The outputs, with what is known of those that could not be restored.
  func outputs(of state: RandRState) -> [Output] {
    let lost = randr.switchedOff
    return state.outputs(notRestored: lost.problem == nil ? [] : lost.all, because: lost.problem)
  }

  /// To be called with each state that is read while nothing rotates.
  func update(_ state: RandRState, at now: Instant) {
    randr.switchedOff.removeRestored(in: state)
    guard !randr.switchedOff.isEmpty else { return end() }
    schedule.want(at: now)
    if let lastSeen, !lastSeen.isLaidOut(as: state) { schedule.hurry(at: now) }
    lastSeen = state
  }

  /// A rotation has failed. The server has just refused twice.
  func rotationFailed(at now: Instant) {
    if schedule.due == nil, randr.switchedOff.problem != nil { serverRefused(at: now) }
  }

  func hurry(at now: Instant) {
    schedule.hurry(at: now)
  }

  /// While nothing is visible, or another session is in front, the server may be without its terminal, and lights nothing.
  func setVisible(_ isVisible: Bool, at now: Instant) {
    if isVisible, !self.isVisible { schedule.hurry(at: now) }
    self.isVisible = isVisible
  }

  /// Continues as far as the server has answered.
  /// - Returns: whether an attempt has ended, so that the outputs are to be read again.
  func advance(at now: Instant) throws(Message) -> Bool {
    var hasEnded = try receive(at: now)
    if attempt == nil, isVisible, schedule.isDue(at: now), try !begin(at: now) { hasEnded = true }
    timer?.arm(at: attempt == nil && isVisible ? schedule.due?.nanoseconds : nil)
    return hasEnded
  }

  /// - Returns: whether an attempt is sent.
  private func begin(at now: Instant) throws(Message) -> Bool {
    let state = try randr.read()
    update(state, at: now)
    guard schedule.due != nil else { return false }
    let lost = randr.switchedOff
    guard let target = state.restoring(lost.all, isUpright: schedule.failures % 2 == 1) else {
      lost.fail(because: Phrase("its mode or its place on the screen is gone"))
      schedule.fail(at: now)
      return false
    }
    let batch = RandRBatch(randr: randr, lifeline: lifeline, from: state, to: target)
    attempt = batch.send(readingBack: target.crtcs.filter(\.isLit).map(\.id))
    randr.forget()
    return true
  }

  private func receive(at now: Instant) throws(Message) -> Bool {
    guard let outcome = attempt?.outcome() else { return false }
    attempt = nil
    randr.forget()
    let state = try randr.read()
    randr.switchedOff.removeRestored(in: state)
    lastSeen = state
    guard !randr.switchedOff.isEmpty else {
      end()
      return true
    }
    randr.switchedOff.fail(because: outcome.error?.phrase ?? Phrase("the X server does not say why"))
    serverRefused(at: now)
    return true
  }

  private func serverRefused(at now: Instant) {
    schedule.fail(at: now)
    messages?.handle()
  }

  private func end() {
    schedule.end()
    lastSeen = nil
    timer?.arm(at: nil)
  }
}
