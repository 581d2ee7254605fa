// SPDX-License-Identifier: MIT

import Autorotation
import System

/// Switches on outputs that a rotation switched off and that the X server then refused to switch on, in the new
/// rotation and in the old one.
///
/// It tries after each change of the outputs, when the screen becomes visible, when the user requests a repair, and at
/// growing intervals. The timer is armed only while something is off.
final class OutputRestoration {
  private let randr: RandR
  /// Messages that the server may have to handle before it can set a mode; `nil` if its process is unknown,
  /// as over TCP.
  private let messages: QueuedBusMessages?
  private var timer: EventTimer?
  private var schedule = RestorationSchedule()
  private var attempt: RandRBatch.Sent?
  /// The last state read. Events that only confirm it do not cause another attempt.
  private var lastSeen: RandRState?
  private var isVisible = true

  /// - Parameter due: called when it is time for an attempt.
  init(_ randr: RandR, loop: EventLoop, due: @escaping () -> Void) throws {
    self.randr = randr
    let server = SessionDescription.Process(atOtherEndOf: randr.connection.descriptor)
    messages = server.map { QueuedBusMessages(of: UInt32($0.id), loop: loop) }
    timer = try loop.timer(due)
  }

  var isAttemptPending: Bool { attempt != nil }

  /// The outputs, each with the reason if it could not be switched on again.
  func outputs(of state: RandRState) -> [Output] {
    let missing = randr.switchedOff
    return state.outputs(notRestored: missing.problem == nil ? [] : missing.all, because: missing.problem)
  }

  /// To be called with each state that is read while no rotation is under way.
  func update(_ state: RandRState, at now: Instant) {
    randr.switchedOff.remove { !state.needsRestoring($0) }
    randr.connection.flush()
    guard !randr.switchedOff.all.isEmpty else { return end() }
    schedule.start(at: now)
    if let lastSeen, !lastSeen.isLaidOut(as: state) { schedule.retryNow(at: now) }
    lastSeen = state
  }

  /// To be called when a rotation has failed and the server has also refused to restore the old state.
  func rotationFailed(at now: Instant) {
    if schedule.due == nil, randr.switchedOff.problem != nil { serverRefused(at: now) }
  }

  func retryNow(at now: Instant) {
    schedule.retryNow(at: now)
  }

  /// While no output is visible or the session is inactive, the server may not own its virtual terminal and then cannot
  /// set modes.
  func setVisible(_ isVisible: Bool, at now: Instant) {
    if isVisible, !self.isVisible { schedule.retryNow(at: now) }
    self.isVisible = isVisible
  }

  /// Continues as far as the server has answered.
  /// - Returns: whether an attempt has ended, so that the outputs have to be read again.
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
    let missing = randr.switchedOff
    // Every second attempt is without rotation, which the driver may refuse.
    guard let target = state.restoring(missing.all, dropsRotation: schedule.failures % 2 == 1) else {
      missing.recordFailure(because: Phrase("its mode or its place on the screen no longer exists"))
      schedule.fail(at: now)
      return false
    }
    attempt = RandRBatch(randr: randr, old: state, new: target).send()
    return true
  }

  private func receive(at now: Instant) throws(Message) -> Bool {
    guard let outcome = attempt?.outcome() else { return false }
    attempt = nil
    update(try randr.read(), at: now)
    if schedule.due != nil {
      randr.switchedOff.recordFailure(
        because: outcome.error?.phrase ?? Phrase("the X server gives no reason"))
      serverRefused(at: now)
    }
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

/// When to try again to switch on what a rotation left off: at once after a change, else at growing intervals.
struct RestorationSchedule: Equatable {
  private var backoff = Backoff(first: 250_000_000, longest: 15_000_000_000)
  /// `nil` while nothing is off.
  private(set) var due: Instant?
  private(set) var failures = 0

  /// Schedules the first attempt at once; does nothing if an attempt is already scheduled.
  mutating func start(at now: Instant) {
    due = due ?? now
  }

  mutating func fail(at now: Instant) {
    due = Instant(nanoseconds: backoff.next(after: now.nanoseconds))
    failures += 1
  }

  /// To be called after a change that may help.
  mutating func retryNow(at now: Instant) {
    if due != nil { due = now }
  }

  mutating func end() {
    self = Self()
  }

  func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }
}
