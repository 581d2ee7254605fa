// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// iio-sensor-proxy, versions 3.0 to 3.9, which classifies by itself: reports `deviceTurned`.
///
/// It is claimed only while something is demanded. The proxy silently forgets a claim when it is restarted or when its
/// sensor reappears. So every event that may be behind that (a new owner of the name, udev's news of sensors, the end of
/// a suspend) leads to another claim, which changes nothing if the old one is still valid. Otherwise, and while the
/// device is held still, nothing wakes up.
package final class SensorProxySource: FallibleSource {
  nonisolated static let name = "iio-sensor-proxy"

  private enum Presence { case unsaid, found, lost }
  private enum Claim { case none, pending, held }

  private let loop: EventLoop
  private let kind: Bus.Kind
  private var report: ((Event, Instant) -> Void)?
  private var timer: EventTimer?
  private var monitor: UdevMonitor?
  private var client: ProxyClient?

  private var demand = SensorDemand.off
  private var presence = Presence.unsaid
  private(set) var failure: Message?
  /// What it says to have is believed when it has delivered.
  private var isSuspect = false
  private var claim = Claim.none
  /// Counts claims, so that the late answer to an old one is known.
  private var claimNumber = 0
  private var properties = ProxyProperties()
  private var word = SettledWord() { didSet { arm() } }
  private var schedule = ProxySchedule() { didSet { arm() } }

  package init(loop: EventLoop, bus kind: Bus.Kind = .system) {
    self.loop = loop
    self.kind = kind
  }

  /// - Throws: `SystemError` if the system has no timer left.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    stop()
    self.report = report
    timer = try loop.timer { [weak self] in self?.act() }
    // Without udev (in a container) sensors do not come and go, as far as anybody can tell.
    monitor = try? UdevMonitor(subsystem: "iio", loop: loop) { [weak self] in self?.lookAgain() }
    schedule.retry = Self.now
  }

  package func demand(_ demand: SensorDemand) {
    let was = self.demand
    self.demand = demand
    guard (was == .off) != (demand == .off) else { return }
    if demand == .off {
      letGo()
      schedule.retry = nil
    } else if client == nil {
      schedule.retry = Self.now
    } else if presence == .found {
      makeClaim()
    } else {
      look()
    }
  }

  package func lookAgain() {
    schedule.expectChange(at: Self.now)
    look()
  }

  package func stop() {
    client?.close()
    client = nil
    monitor = nil
    report = nil
    schedule = ProxySchedule()
    forgetOwner()
    presence = .unsaid
    timer?.cancel()
    timer = nil
  }

  private static var now: Instant { Instant(nanoseconds: EventLoop.now) }

  // MARK: What falls due

  private func arm() {
    timer?.arm(at: [schedule.next, word.deadline].compactMap { $0 }.min()?.nanoseconds)
  }

  private func act() {
    let now = Self.now
    if let through = word.elapse(at: now) { emit(through) }
    let due = schedule.takeDue(at: now)
    if due.contains(.retry), client == nil {
      connect()
    } else if !due.isDisjoint(with: [.retry, .check]) {
      look()
    }
    if due.contains(.read) { readWord() }
  }

  private func connect() {
    do throws(BusError) {
      client = try ProxyClient(kind, loop: loop) { [weak self] in self?.hear($0) }
    } catch {
      lose(.noSystemBus("\(error)"))
      awaitBus()
    }
  }

  /// The directory of its socket is watched; the bus is polled only where that is impossible.
  private func awaitBus() {
    client = try? ProxyClient(kind, awaitsSocket: true, loop: loop) { [weak self] in self?.hear($0) }
    if client != nil { schedule.retry = nil }
  }

  // MARK: What the bus tells

  private func hear(_ news: ProxyClient.News) {
    switch news {
    case .owner(let owner): meet(owner)
    case .changed(let values): change(values)
    case .silent(let error): lose(.noSystemBus("\(error)"))
    case .ended:
      client = nil
      lose(.noSystemBus("the system bus has ended"))
    }
  }

  private func meet(_ owner: String?) {
    forgetOwner()
    if owner == nil { lose(.noProxy) } else { lookAgain() }
  }

  private func forgetOwner() {
    claim = .none
    claimNumber += 1
    isSuspect = false
    properties = ProxyProperties()
    word = SettledWord()
    schedule.read = nil
  }

  private func change(_ values: [String: Value]) {
    properties.take(values)
    if values["HasAccelerometer"] != nil { judgePresence() }
    guard claim != .none, ProxyProperties.speakOfOrientation(values) else { return }
    schedule.read = nil
    hearWord()
  }

  // MARK: Whether it has an accelerometer

  private func look() {
    read { [weak self] in self?.judgePresence() }
  }

  private func read(_ then: @escaping () -> Void) {
    try? client?.readProperties { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .success(let values):
        properties = ProxyProperties(values)
        then()
      case .failure(let error): fail(error, "Properties.GetAll")
      }
    }
  }

  private func judgePresence() {
    switch properties.hasAccelerometer {
    case nil: lose(.proxyNonsense("its HasAccelerometer is missing or not a boolean"))
    case false: lose(.noAccelerometerOfProxy)
    case true:
      if !isSuspect { find() }
      if demand != .off { makeClaim() }
    }
  }

  private func fail(_ error: BusError, _ member: String) {
    switch error.name {
    case _ where error.isAbsence: break  // The name's new owner, or its absence, is told anyway.
    case BusError.disconnected: break
    case _ where error.isSilence: lose(.proxyIsSilent)
    case BusError.accessDenied: lose(.proxyRefuses(error.message))
    default: lose(.proxyNonsense("\(member): \(error)"))
    }
  }

  private func find() {
    guard presence != .found else { return }
    presence = .found
    failure = nil
    schedule.succeed()
    report?(.sensorFound(name: Self.name), Self.now)
  }

  private func lose(_ failure: Message) {
    letGo()
    if failure.passesUnnoticedByProxy, demand != .off { schedule.fail(at: Self.now) }
    isSuspect = isSuspect || failure.raisesSuspicion
    guard presence != .lost || self.failure != failure else { return }
    presence = .lost
    self.failure = failure
    report?(.sensorLost(failure), Self.now)
  }

  // MARK: The claim

  private func makeClaim() {
    guard claim != .pending, let client, client.owner != nil else { return }
    claim = .pending
    claimNumber += 1
    let number = claimNumber
    let isSent: Void? = try? client.claim { [weak self] in self?.answered($0, claim: number) }
    if isSent == nil { claim = .none }
  }

  private func answered(_ answer: Result<[Value], BusError>, claim number: Int) {
    guard number == claimNumber else {
      // We cannot know whether the proxy handled the release before this claim.
      if demand == .off { client?.release() }
      return
    }
    claim = .held
    if case .failure(let error) = answer, !error.leavesClaimOpen { return fail(error, "ClaimAccelerometer") }
    if properties.isFreshAfterClaim { readWord() } else { schedule.expectWord(at: Self.now) }
  }

  private func letGo() {
    if claim != .none { client?.release() }
    claim = .none
    claimNumber += 1
    word = SettledWord()
    schedule.read = nil
  }

  // MARK: The word

  private func readWord() {
    read { [weak self] in
      guard let self, demand != .off else { return }
      guard properties.isComplete else { return judgeIncomplete() }
      isSuspect = false
      find()
      hearWord()
    }
  }

  private func judgeIncomplete() {
    guard properties.hasAccelerometer == true else { return judgePresence() }
    lose(.proxyNonsense("its AccelerometerOrientation is missing or not a text"))
  }

  private func hearWord() {
    guard demand != .off, let orientation = properties.orientation else { return }
    if let through = word.hear(orientation, at: Self.now) { emit(through) }
  }

  private func emit(_ orientation: DeviceOrientation) {
    report?(.deviceTurned(orientation), Self.now)
  }
}

nonisolated extension BusError {
  fileprivate static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"

  /// A proxy that is waiting for a sensor's first sample has registered the claim, whether it answers or not.
  fileprivate var leavesClaimOpen: Bool { isSilence }
}
