// SPDX-License-Identifier: MIT

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
    do throws(BusError) {
      try bus.call(ControlInterface.target.properties, "GetAll", [.string(ControlInterface.name)]) {
        [weak self] in self?.receiveAll($0)
      }
      awaitsAnswer = true
    } catch {
      // Only a bus that has ended refuses a call, and its owner is notified of that.
    }
  }

  private func receiveAll(_ answer: Result<[Value], BusError>) {
    awaitsAnswer = false
    guard let properties = try? answer.get().read(0, as: [String: Value].self) else { return }
    update(properties)
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
