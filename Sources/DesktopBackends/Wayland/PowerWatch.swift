// SPDX-License-Identifier: MIT

import System

/// Checks whether outputs are off or on again, where the compositor does not report it: sway before 1.9, and labwc.
/// `PowerSchedule` determines when. Nothing is checked while the session is inactive.
final class PowerWatch {
  /// What to watch for.
  struct Interest: Equatable {
    /// An output is off, and may be switched on.
    var isOff = false
    /// Report when an output that is on goes off.
    var awaitsOff = false
    /// Whether the session is active and the machine awake.
    var isSeen = true

    fileprivate var watch: PowerSchedule.Watch {
      guard isSeen else { return .none }
      return isOff ? .forOn : awaitsOff ? .forOff : .none
    }
  }

  private let check: () -> Void
  private let activity: SeatActivity?
  private var timer: EventTimer?
  private var schedule = PowerSchedule()

  /// - Parameter check: reads the power of the outputs; its result is to be set in `interest`.
  init(_ connection: WaylandConnection, on loop: EventLoop, check: @escaping () -> Void) throws {
    self.check = check
    activity = SeatActivity(connection)
    timer = try loop.timer { [weak self] in self?.checkNow() }
  }

  var interest = Interest() {
    didSet {
      if interest.watch != oldValue.watch { start(atOnce: interest.isSeen && !oldValue.isSeen) }
    }
  }

  /// Whether the compositor reports an output that is switched on.
  var isReported: Bool {
    get { schedule.isReported }
    set { change { $0.isReported = newValue } }
  }

  func stop() {
    activity?.end()
    timer = nil
  }

  private func start(atOnce: Bool) {
    change { $0.start(interest.watch, at: EventLoop.now, atOnce: atOnce) }
    switch interest.watch {
    case .none: activity?.end()
    case .forOff: watchActivity(quietFor: PowerSchedule.longInterval)
    case .forOn: watchActivity(quietFor: 1_000_000_000)
    }
  }

  private func watchActivity(quietFor quiet: Int64) {
    activity?.begin(
      quietFor: quiet, idled: { [weak self] in self?.change { $0.userIsIdle(at: EventLoop.now) } },
      resumed: { [weak self] in self?.change { $0.userIsActive(at: EventLoop.now) } })
  }

  private func change(_ body: (inout PowerSchedule) -> Void) {
    let before = schedule
    body(&schedule)
    if schedule.next != before.next { timer?.arm(at: schedule.next) }
  }

  private func checkNow() {
    change { $0.checked(at: EventLoop.now) }
    check()
  }
}
