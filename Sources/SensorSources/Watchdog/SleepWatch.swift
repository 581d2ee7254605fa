// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Tells when the machine goes to sleep and wakes up, logind's `PrepareForSleep`, and whether the session is in
/// front (`SessionWatch`).
///
/// Without a system bus or logind nothing is reported, and nothing is missed, since sensors are simply read on. A bus
/// that appears later is used from then on.
package final class SleepWatch {
  nonisolated private static let manager = BusTarget(
    service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
    interface: "org.freedesktop.login1.Manager")
  /// How long until a system bus that has ended is looked for again; nanoseconds.
  nonisolated private static let backoff: Int64 = 10_000_000_000
  /// The same for one whose socket may not be opened, of which nothing tells when that is over.
  nonisolated private static let longBackoff: Int64 = 300_000_000_000

  private let loop: EventLoop
  private let kind: Bus.Kind
  private let report: (Event) -> Void
  private var bus: Bus?
  private var subscriptions: [Subscription] = []
  private var session: SessionWatch?
  private var timer: EventTimer?
  private var isAsleep = false
  private var isInFront = true

  /// - Parameter report: is given `suspended` and `resumed`, in turn, and `sessionChanged`, from the loop.
  package init(
    loop: EventLoop, bus kind: Bus.Kind = .system, _ report: @escaping (Event) -> Void
  ) {
    self.loop = loop
    self.kind = kind
    self.report = report
    connect()
  }

  /// Whether the session is in front and the machine awake.
  package var isSessionSeen: Bool { isInFront && !isAsleep }

  private func connect() {
    guard let bus = try? Bus(kind, awaitsSocket: true) else { return }
    do {
      try bus.attach(to: loop)
      bus.onClosed = { [weak self] in self?.lose() }
      subscriptions = try watch(bus)
      session = try SessionWatch(bus: bus) { [weak self] in self?.turn(isInFront: $0) }
      self.bus = bus
    } catch {
      bus.close()
    }
  }

  private func watch(_ bus: Bus) throws -> [Subscription] {
    [
      try bus.match(SignalRule(Self.manager, "PrepareForSleep")) { [weak self] signal in
        guard let sleeps = try? signal.arguments().read(0, as: Bool.self) else { return }
        self?.turn(isAsleep: sleeps)
      },
      // A bus that has gone cannot report that the machine has resumed, but it has.
      try bus.watchName(Self.manager.service) { [weak self] owner in
        if owner == nil { self?.turn(isAsleep: false) }
      },
    ]
  }

  private func turn(isAsleep: Bool) {
    guard isAsleep != self.isAsleep else { return }
    self.isAsleep = isAsleep
    report(isAsleep ? .suspended : .resumed)
  }

  private func turn(isInFront: Bool) {
    guard isInFront != self.isInFront else { return }
    self.isInFront = isInFront
    report(.sessionChanged(isActive: isInFront))
  }

  private func lose() {
    bus = nil
    subscriptions = []
    session = nil
    turn(isAsleep: false)
    turn(isInFront: true)
    timer = timer ?? (try? loop.timer { [weak self] in self?.tryAgain() })
    timer?.arm(at: EventLoop.now + Self.backoff)
  }

  private func tryAgain() {
    connect()
    if bus == nil { timer?.arm(at: EventLoop.now + Self.longBackoff) }
  }
}
