// SPDX-License-Identifier: MIT

import Glibc
package import System

/// Tells whether this session is the one in front: logind's `Active`, which goes while another user's session or a
/// text console is. Where logind knows no session of ours, it is.
package final class SessionWatch {
  nonisolated private static let manager = BusTarget(
    service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
    interface: "org.freedesktop.login1.Manager")
  nonisolated private static let user = BusTarget(
    service: manager.service, path: "/org/freedesktop/login1/user/self",
    interface: "org.freedesktop.login1.User")
  /// logind's word for the caller's session, or else the one that the caller's user sees.
  nonisolated private static let auto = "auto"

  private let bus: Bus
  private let ownSession: String
  private let report: (Bool) -> Void
  private var news: [Subscription] = []
  /// Listens to the session that is followed.
  private var following: (path: String, changes: Subscription)?
  /// Counts the searches, so that answers to older ones can be ignored.
  private var search = 0
  private var isActive = true

  /// - Parameters:
  ///   - bus: the system bus, attached to the loop.
  ///   - session: logind's name of this session, if our environment has it.
  ///   - report: is called for each change; the session is in front at first.
  package init(
    bus: Bus, session: String? = Environment.variable("XDG_SESSION_ID"),
    _ report: @escaping (Bool) -> Void
  ) throws(BusError) {
    self.bus = bus
    ownSession = session.flatMap { $0.isEmpty ? nil : $0 } ?? Self.auto
    self.report = report
    let name = try bus.watchName(Self.manager.service) { [weak self] owner in
      if owner == nil { self?.lose() } else { self?.look() }
    }
    news = [name]
    // A user's daemon may be there before the session, and after it.
    for member in ["SessionNew", "SessionRemoved"] {
      news.append(try bus.match(SignalRule(Self.manager, member)) { [weak self] _ in self?.look() })
    }
  }

  private func look() {
    search += 1
    find(ownSession)
  }

  /// Our environment may name a session that has ended.
  private func find(_ name: String) {
    ask(Self.manager, "GetSession", [.string(name)]) { watch, answer in
      if let path = try? answer?.read(0, as: String.self) {
        watch.consider(path)
      } else if name != Self.auto {
        watch.find(Self.auto)
      } else {
        watch.lose()
      }
    }
  }

  /// The daemon may have been started from a text console or remotely; then the session that the person sees counts.
  private func consider(_ path: String) {
    get("Type", of: Self.session(path)) { watch, type in
      guard let type: String = try? type?.read(), !["x11", "wayland", "mir"].contains(type) else {
        return watch.follow(path)
      }
      watch.get("Display", of: Self.user) { watch, display in
        guard case .structure(let parts)? = display?.unwrapped,
          let seen = try? parts.read(1, as: String.self), seen != "/"
        else { return watch.follow(path) }
        watch.follow(seen)
      }
    }
  }

  private func follow(_ path: String) {
    if following?.path != path {
      let rule = SignalRule(
        sender: Self.manager.service, path: path, interface: "org.freedesktop.DBus.Properties",
        member: "PropertiesChanged")
      guard let changes = try? bus.match(rule, { [weak self] in self?.note(try? $0.arguments()) }) else {
        return
      }
      following = (path, changes)
    }
    askWhetherActive()
  }

  private func askWhetherActive() {
    guard let following else { return }
    get("Active", of: Self.session(following.path)) { watch, active in
      watch.turn(isActive: (try? active?.read()) ?? true)
    }
  }

  private func note(_ arguments: [Value]?) {
    guard let changed = try? arguments?.read(1, as: [String: Value].self) else { return }
    if let isActive: Bool = try? changed["Active"]?.read() {
      search += 1
      turn(isActive: isActive)
    } else if let invalid = try? arguments?.read(2, as: [String].self), invalid.contains("Active") {
      askWhetherActive()
    }
  }

  private func lose() {
    following = nil
    search += 1
    turn(isActive: true)
  }

  private func turn(isActive: Bool) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    report(isActive)
  }

  // MARK: Questions

  private static func session(_ path: String) -> BusTarget {
    BusTarget(service: manager.service, path: path, interface: "org.freedesktop.login1.Session")
  }

  private func get(_ property: String, of object: BusTarget, _ then: @escaping (SessionWatch, Value?) -> Void)
  {
    ask(object.properties, "Get", [.string(object.interface), .string(property)]) { watch, answer in
      then(watch, answer?.first)
    }
  }

  /// - Parameter then: is given `nil` for an error, and is not called if there was news since.
  private func ask(
    _ target: BusTarget, _ member: String, _ arguments: [Value],
    _ then: @escaping (SessionWatch, [Value]?) -> Void
  ) {
    let asked = search
    try? bus.call(target, member, arguments, startsService: false) { [weak self] answer in
      guard let self, search == asked else { return }
      then(self, try? answer.get())
    }
  }
}
