// SPDX-License-Identifier: MIT

/// Follows the properties of one interface of a service, across restarts of the service.
package final class PropertyFollower {
  private let bus: Bus
  private let target: BusTarget
  private let onChange: ([String: Value]?) -> Void
  private var subscriptions: [Subscription] = []
  private var owner: String?
  /// Empty until the service has answered.
  private var properties: [String: Value] = [:]
  private var awaitsAnswer = false

  /// - Parameters:
  ///   - bus: attached to a loop that will run.
  ///   - onChange: called with all properties, first and at each change; with none if the service does not answer, until
  ///     its next change; with `nil` when no service runs, or it has ended.
  package init(
    of target: BusTarget, on bus: Bus, onChange: @escaping ([String: Value]?) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.target = target
    self.onChange = onChange
    subscriptions = [
      try bus.matchChanges(of: target) { [weak self] changed, _ in self?.receive(changed) },
      try bus.watchName(target.service) { [weak self] in self?.receiveOwner($0) },
    ]
  }

  private func receiveOwner(_ owner: String?) {
    self.owner = owner
    properties = [:]
    if owner == nil { onChange(nil) } else { ask() }
  }

  private func ask() {
    awaitsAnswer = true
    bus.ask(target.properties, "GetAll", [.string(target.interface)]) { [weak self, owner] answer in
      // A service that has ended is not one that does not answer.
      guard let self, owner == self.owner else { return }
      awaitsAnswer = false
      properties = (try? answer.get().read(0)) ?? [:]
      onChange(properties)
    }
  }

  private func receive(_ changed: [String: Value]) {
    guard !properties.isEmpty else {
      // An answer that is awaited will contain the change.
      if !awaitsAnswer { ask() }
      return
    }
    properties.merge(changed) { $1 }
    onChange(properties)
  }
}
