// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Reports suspend and resume, logind's `PrepareForSleep`, and whether the session is active (`SessionWatch`).
///
/// Without a system bus or logind nothing is reported, and sensors are simply read on. A bus that appears later is used
/// from then on.
package final class SleepWatch {
  /// Nanoseconds until the first retry after the system bus has ended.
  nonisolated private static let backoff: Int64 = 10_000_000_000
  /// Nanoseconds between retries if the socket cannot be opened, since nothing reports when that changes.
  nonisolated private static let longBackoff: Int64 = 300_000_000_000

  private let loop: EventLoop
  private let kind: Bus.Kind
  private let report: (Event) -> Void
  private var bus: Bus?
  private var subscriptions: [Subscription] = []
  private var session: SessionWatch?
  private var timer: EventTimer?
  private var isAsleep = false

  /// - Parameter report: called from the loop with `suspended` and `resumed`, alternately, and `sessionChanged`.
  package init(loop: EventLoop, bus kind: Bus.Kind = .system, _ report: @escaping (Event) -> Void) {
    self.loop = loop
    self.kind = kind
    self.report = report
    connect()
  }

  /// Whether the session is active and the machine awake.
  package var isSessionVisible: Bool { (session?.isActive ?? true) && !isAsleep }

  private func connect() {
    guard let bus = try? Bus(kind, awaitsSocket: true) else { return }
    do {
      try bus.attach(to: loop)
      bus.onClosed = { [weak self] in self?.handleBusEnd() }
      subscriptions = try watch(bus)
      session = try SessionWatch(bus: bus) { [weak self] in self?.report(.sessionChanged(isActive: $0)) }
      self.bus = bus
    } catch {
      bus.close()
    }
  }

  private func watch(_ bus: Bus) throws -> [Subscription] {
    [
      try bus.match(SignalRule(SessionWatch.manager, "PrepareForSleep")) { [weak self] signal in
        guard let sleeps = try? signal.arguments().read(0, as: Bool.self) else { return }
        self?.update(isAsleep: sleeps)
      },
      // logind cannot report a resume after it has ended.
      try bus.watchName(SessionWatch.manager.service) { [weak self] owner in
        if owner == nil { self?.update(isAsleep: false) }
      },
    ]
  }

  private func update(isAsleep: Bool) {
    guard isAsleep != self.isAsleep else { return }
    self.isAsleep = isAsleep
    report(isAsleep ? .suspended : .resumed)
  }

  private func handleBusEnd() {
    bus = nil
    subscriptions = []
    update(isAsleep: false)
    let wasActive = session?.isActive ?? true
    session = nil
    if !wasActive { report(.sessionChanged(isActive: true)) }
    timer = timer ?? (try? loop.timer { [weak self] in self?.reconnect() })
    timer?.arm(at: EventLoop.now + Self.backoff)
  }

  private func reconnect() {
    connect()
    if bus == nil { timer?.arm(at: EventLoop.now + Self.longBackoff) }
  }
}
