// SPDX-License-Identifier: MIT

import System

/// Looks whether outputs have gone dark or are lit again, where the compositor tells nobody: sway before 1.9, and labwc.
/// `PowerSchedule` says when. Nothing is looked at while nobody sees the session.
final class PowerWatch {
  /// What somebody wants to know.
  struct Interest: Equatable {
    /// Something is dark, and may be lit.
    var isDark = false
    /// Somebody wants to know when what is lit goes dark.
    var awaitsDark = false
    /// Whether the session is in front and the machine awake.
    var isSeen = true

    fileprivate var watch: PowerSchedule.Watch {
      guard isSeen else { return .none }
      return isDark ? .forOn : awaitsDark ? .forOff : .none
    }
  }

  private let look: () -> Void
  private let activity: SeatActivity?
  private var timer: EventTimer?
  private var schedule = PowerSchedule()

  /// - Parameter look: asks; what is found is to be told by `interest`.
  init(_ connection: WaylandConnection, on loop: EventLoop, look: @escaping () -> Void) throws {
    self.look = look
    activity = SeatActivity(connection)
    timer = try loop.timer { [weak self] in self?.lookAgain() }
  }

  var interest = Interest() {
    didSet {
      if interest.watch != oldValue.watch { start(atOnce: interest.isSeen && !oldValue.isSeen) }
    }
  }

  /// Whether the compositor reports it when an output is lit.
  var isReported: Bool {
    get { schedule.isReported }
    set { change { $0.isReported = newValue } }
  }

  func stop() {
    activity?.end()
    timer?.cancel()
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
      quietFor: quiet, idled: { [weak self] in self?.change { $0.leftAlone(at: EventLoop.now) } },
      resumed: { [weak self] in self?.change { $0.touched(at: EventLoop.now) } })
  }

  private func change(_ body: (inout PowerSchedule) -> Void) {
    let before = schedule
    body(&schedule)
    if schedule.next != before.next { timer?.arm(at: schedule.next) }
  }

  private func lookAgain() {
    change { $0.looked(at: EventLoop.now) }
    look()
  }
}
