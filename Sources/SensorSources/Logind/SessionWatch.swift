// SPDX-License-Identifier: MIT

import Glibc
package import System

/// Reports whether this session is active: logind's `Active`, which is false while another user's session or a text
/// console is shown. A session that logind does not know counts as active.
package final class SessionWatch {
  nonisolated static let manager = BusTarget(
    service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
    interface: "org.freedesktop.login1.Manager")
  nonisolated private static let user = BusTarget(
    service: manager.service, path: "/org/freedesktop/login1/user/self",
    interface: "org.freedesktop.login1.User")
  /// logind's name for the caller's session or, outside any session, for its user's graphical one.
  nonisolated private static let auto = "auto"

  private let bus: Bus
  private let ownSession: String
  private let report: (Bool) -> Void
  private var subscriptions: [Subscription] = []
  /// The watched session's object path, and the subscription to its changes.
  private var watched: (path: String, changes: Subscription)?
  /// Counts the searches, so that replies to older ones are ignored.
  private var search = 0
  private(set) var isActive = true

  /// - Parameters:
  ///   - bus: the system bus, attached to the loop.
  ///   - session: logind's name of this session, from the environment.
  ///   - report: called for each change; the session counts as active at first.
  package init(
    bus: Bus, session: String? = Environment.variable("XDG_SESSION_ID"), _ report: @escaping (Bool) -> Void
  ) throws(BusError) {
    self.bus = bus
    ownSession = session.flatMap { $0.isEmpty ? nil : $0 } ?? Self.auto
    self.report = report
    let name = try bus.watchName(Self.manager.service) { [weak self] owner in
      if owner == nil { self?.reset() } else { self?.refresh() }
    }
    subscriptions = [name]
    // A user service may start before the session, and end after it.
    for member in ["SessionNew", "SessionRemoved"] {
      let signal = SignalRule(Self.manager, member)
      subscriptions.append(try bus.match(signal) { [weak self] _ in self?.refresh() })
    }
  }

  private func refresh() {
    search += 1
    findSession(ownSession)
  }

  /// Falls back to `auto`, since the environment may name a session that has ended or is closing: the user's services
  /// outlast it by ten seconds, or by more if they linger.
  private func findSession(_ name: String) {
    call(Self.manager, "GetSession", [.string(name)]) { watch, answer in
      guard let path = try? answer?.read(0, as: String.self) else {
        return name == Self.auto ? watch.reset() : watch.findSession(Self.auto)
      }
      guard name != Self.auto else { return watch.followGraphical(path) }
      watch.get("State", of: Self.session(path)) { watch, value in
        let state: String? = try? value?.read()
        if state == "closing" { watch.findSession(Self.auto) } else { watch.followGraphical(path) }
      }
    }
  }

  /// Follows the user's graphical session instead, if the daemon was started from a text console or remotely.
  private func followGraphical(_ path: String) {
    get("Type", of: Self.session(path)) { watch, type in
      guard let type: String = try? type?.read(), !["x11", "wayland", "mir"].contains(type) else {
        return watch.follow(path)
      }
      watch.get("Display", of: Self.user) { watch, display in
        guard case .structure(let parts)? = display?.unwrapped,
          let graphical = try? parts.read(1, as: String.self), graphical != "/"
        else { return watch.follow(path) }
        watch.follow(graphical)
      }
    }
  }

  private func follow(_ path: String) {
    if watched?.path != path {
      guard
        let changes = try? bus.matchChanges(of: Self.session(path), { [weak self] in self?.receive($0, $1) })
      else { return }
      watched = (path, changes)
    }
    readActive()
  }

  private func readActive() {
    guard let watched else { return }
    get("Active", of: Self.session(watched.path)) { watch, active in
      watch.update(isActive: (try? active?.read()) ?? true)
    }
  }

  private func receive(_ changed: [String: Value], _ invalidated: [String]) {
    if let isActive: Bool = try? changed["Active"]?.read() {
      update(isActive: isActive)
      // Replies that are still awaited are older than the signal, and are ignored.
      refresh()
    } else if invalidated.contains("Active") {
      readActive()
    }
  }

  private func reset() {
    watched = nil
    search += 1
    update(isActive: true)
  }

  private func update(isActive: Bool) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    report(isActive)
  }

  // MARK: Calls

  private static func session(_ path: String) -> BusTarget {
    BusTarget(service: manager.service, path: path, interface: "org.freedesktop.login1.Session")
  }

  private func get(_ property: String, of object: BusTarget, _ then: @escaping (SessionWatch, Value?) -> Void)
  {
    call(object.properties, "Get", [.string(object.interface), .string(property)]) { watch, answer in
      then(watch, answer?.first)
    }
  }

  /// - Parameter then: called with `nil` for an error, and not called if a newer search has started.
  private func call(
    _ target: BusTarget, _ member: String, _ arguments: [Value],
    _ then: @escaping (SessionWatch, [Value]?) -> Void
  ) {
    let number = search
    try? bus.call(target, member, arguments) { [weak self] answer in
      guard let self, search == number else { return }
      then(self, try? answer.get())
    }
  }
}
