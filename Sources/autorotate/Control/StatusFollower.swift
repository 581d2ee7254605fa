// SPDX-License-Identifier: MIT

import Autorotation
import Language
import System

/// Reports the status at each change, across restarts of the daemon.
@MainActor final class StatusFollower {
  private let bus: Bus
  private let onChange: (StatusReport?) -> Void
  private var report: StatusReport?
  private var awaitsAnswer = false
  private var subscriptions: [Subscription] = []

  /// - Parameters:
  ///   - bus: attached to a loop that will run.
  ///   - onChange: called first with the current status, then at each change; once with `nil` when no
  ///     daemon runs, or it has ended.
  init(bus: Bus, onChange: @escaping (StatusReport?) -> Void) throws(BusError) {
    self.bus = bus
    self.onChange = onChange
    subscriptions = [
      try bus.matchChanges(of: ControlInterface.target) { [weak self] changed, _ in
        self?.receiveChange(changed)
      },
      try bus.watchName(ControlInterface.name) { [weak self] in self?.receiveOwner($0) },
    ]
  }

  private func receiveOwner(_ owner: String?) {
    report = nil
    guard owner != nil else { return onChange(nil) }
    ask()
  }

  private func ask() {
    awaitsAnswer = true
    bus.ask(ControlInterface.target.properties, "GetAll", [.string(ControlInterface.name)]) {
      [weak self] answer in
      self?.awaitsAnswer = false
      if let properties = try? answer.get().read(0, as: [String: Value].self) { self?.update(properties) }
    }
  }

  private func receiveChange(_ properties: [String: Value]) {
    // Before the first full answer there is nothing to change; the answer will contain it.
    if report != nil { update(properties) } else if !awaitsAnswer { ask() }
  }

  private func update(_ properties: [String: Value]) {
    var updated = report ?? StatusReport()
    updated.update(properties)
    guard updated != report else { return }
    report = updated
    onChange(updated)
  }
}

/// The status after a rotation that is in progress, or waits for a finger, has ended.
@MainActor enum FinalStatus {
  /// Hooks may delay a rotation for longer, but a user at a prompt should not wait longer.
  private static let timeout = Duration.seconds(2)
  /// Hooks and the display system have less time than this together.
  static let rotationTimeout = Duration.seconds(8)

  /// - Returns: the last status that was received; `nil` if none was.
  static func awaited(for timeout: Duration = timeout) -> StatusReport? {
    var last: StatusReport?
    try? follow(timeout) { report in
      last = report
      return report?.awaitsRotation != true
    }
    return last
  }

  /// - Returns: whether the daemon has ended in time.
  static func awaitEnd() -> Bool {
    var hasEnded = false
    try? follow(timeout) { report in
      hasEnded = report == nil
      return hasEnded
    }
    return hasEnded
  }

  /// - Parameter isEnd: whether this status is the last to wait for.
  private static func follow(_ timeout: Duration, until isEnd: @escaping (StatusReport?) -> Bool) throws {
    let loop = try EventLoop()
    let bus = try FollowCommand.connect(.session, loop)
    let timer = try loop.timer(at: EventLoop.now + timeout.wholeNanoseconds) { loop.exit() }
    let follower = try StatusFollower(bus: bus) { if isEnd($0) { loop.exit() } }
    _ = try withExtendedLifetime((timer, follower)) { try loop.run() }
  }
}
