// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// iio-sensor-proxy, versions 3.0 to 3.9, which classifies the orientation itself: reports `deviceRotated`.
///
/// It is claimed only while there is a demand. The proxy silently drops a claim when it is restarted or when its sensor
/// reappears. So each event that may accompany that (a new owner of the name, a change of sensors in udev, resume from
/// suspend) leads to another claim, which changes nothing if the old one is still valid. Apart from that, and while the
/// device is at rest, there are no wake-ups.
package final class SensorProxySource: SensorSource {
  /// As reported by `sensorFound`.
  nonisolated package static let name = "iio-sensor-proxy"
  nonisolated static let target = BusTarget(
    service: "net.hadess.SensorProxy", path: "/net/hadess/SensorProxy", interface: "net.hadess.SensorProxy")
  /// It replies in a millisecond unless it hangs.
  nonisolated private static let timeout = Duration.seconds(5)
  /// Since 3.6 it replies to a claim after the first reading, or never if the sensor delivers nothing.
  nonisolated private static let claimTimeout = Duration.seconds(25)
  /// udev notifies the proxy and us at the same time, in any order; a starting proxy needs half a second to examine a
  /// sensor. Nanoseconds.
  nonisolated private static let checkDelays: [Int64] = [500_000_000, 1_500_000_000]
  /// Until 3.5 the proxy shows the last claim's value for the 0.7 s until the first reading of this one. Nanoseconds.
  nonisolated private static let staleTime: Int64 = 1_000_000_000

  enum Presence: Equatable {
    case unreported, found
    case lost(Message)
  }
  private enum Claim { case none, pending, held }

  private let loop: EventLoop
  private let kind: Bus.Kind
  private var report: ((Event, Instant) -> Void)?
  private var checkTimers: [EventTimer] = []
  private var readTimer, retryTimer, debounceTimer: EventTimer?
  private var monitor: UdevMonitor?
  private var bus: Bus?
  private var subscriptions: [Subscription] = []
  private var owner: String?

  private var demand = SensorDemand.off
  private(set) var presence = Presence.unreported
  /// Whether it must deliver an orientation before its sensor is reported as found.
  private var needsConfirmation = false
  private var claim = Claim.none
  /// Counts claims, so that late replies to old ones are ignored.
  private var claimNumber = 0
  private var properties = ProxyProperties()
  private var debouncer = OrientationDebouncer() {
    didSet { debounceTimer?.arm(at: debouncer.deadline?.nanoseconds) }
  }
  private var backoff = Backoff()

  package init(loop: EventLoop, bus kind: Bus.Kind = .system) {
    self.loop = loop
    self.kind = kind
  }

  /// - Throws: `SystemError` if the system has no timer left.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    self.report = report
    checkTimers = try Self.checkDelays.map { _ in try loop.timer { [weak self] in self?.checkPresence() } }
    readTimer = try loop.timer { [weak self] in self?.readOrientation() }
    retryTimer = try loop.timer { [weak self] in self?.retry() }
    debounceTimer = try loop.timer { [weak self] in self?.advanceDebouncer() }
    // Without udev (in a container), sensors are not expected to be added or removed.
    monitor = try? UdevMonitor(subsystem: "iio", loop: loop) { [weak self] in self?.recheck() }
    retryTimer?.arm(at: EventLoop.now)
  }

  package func demand(_ demand: SensorDemand) {
    let former = self.demand
    self.demand = demand
    guard (former == .off) != (demand == .off) else { return }
    if demand == .off {
      releaseClaim()
      retryTimer?.arm(at: nil)
    } else if bus == nil {
      retryTimer?.arm(at: EventLoop.now)
    } else if presence == .found {
      makeClaim()
    } else {
      checkPresence()
    }
  }

  package func recheck() {
    for (timer, delay) in zip(checkTimers, Self.checkDelays) { timer.arm(at: EventLoop.now + delay) }
    checkPresence()
  }

  package func stop() {
    endConnection()
    monitor = nil
    report = nil
    checkTimers = []
    (readTimer, retryTimer, debounceTimer) = (nil, nil, nil)
    backoff.reset()
    resetOwnerState()
    presence = .unreported
  }

  private static var now: Instant { Instant(nanoseconds: EventLoop.now) }

  // MARK: Timers

  private func advanceDebouncer() {
    let now = Self.now
    if let accepted = debouncer.advance(to: now) { report?(.deviceRotated(accepted), now) }
  }

  private func retry() { if bus == nil { connect() } else { checkPresence() } }

  private func connect() {
    do throws(BusError) {
      try open()
    } catch {
      reportLost(.noSystemBus("\(error)"))
      // Watch the directory of the bus's socket, and poll only where that is impossible.
      try? open(awaitsSocket: true)
      if bus != nil { retryTimer?.arm(at: nil) }
    }
  }

  // MARK: Updates from the bus

  private func open(awaitsSocket: Bool = false) throws(BusError) {
    let bus = try Bus(kind, awaitsSocket: awaitsSocket)
    try bus.attach(to: loop)
    bus.onSilent = { [weak self, kind] in self?.reportLost(.noSystemBus("\(kind.silence)")) }
    bus.onClosed = { [weak self] in
      self?.endConnection()
      self?.reportLost(.noSystemBus("the system bus has ended"))
    }
    subscriptions = [
      try bus.matchChanges(of: Self.target) { [weak self] changed, _ in self?.updateProperties(changed) },
      try bus.watchName(Self.target.service) { [weak self] in self?.ownerChanged(to: $0) },
    ]
    self.bus = bus
  }

  /// The claim ends with the connection.
  private func endConnection() {
    subscriptions = []
    bus?.close()
    (bus, owner) = (nil, nil)
  }

  private func ownerChanged(to owner: String?) {
    self.owner = owner
    resetOwnerState()
    if owner == nil { reportLost(.noProxy) } else { recheck() }
  }

  /// Replies of a former owner are dropped.
  private func call(
    _ target: BusTarget, _ member: String, _ timeout: Duration, _ arguments: [Value] = [],
    _ completion: @escaping (Result<[Value], BusError>) -> Void
  ) throws(BusError) {
    guard let bus, let owner else { return }
    try bus.call(target, member, arguments, timeout: timeout) { [weak self] answer in
      if self?.owner == owner { completion(answer) }
    }
  }

  private func resetOwnerState() {
    claim = .none
    needsConfirmation = false
    properties = ProxyProperties()
    debouncer = OrientationDebouncer()
    readTimer?.arm(at: nil)
  }

  private func updateProperties(_ values: [String: Value]) {
    properties.update(with: values)
    if values["HasAccelerometer"] != nil { updatePresence() }
    guard claim != .none, ProxyProperties.containOrientation(values) else { return }
    readTimer?.arm(at: nil)
    processOrientation()
  }

  // MARK: Whether it has an accelerometer

  private func checkPresence() { read { [weak self] in self?.updatePresence() } }

  private func read(_ then: @escaping () -> Void) {
    let name = Value.string(Self.target.interface)
    try? call(Self.target.properties, "GetAll", Self.timeout, [name]) { [weak self] answer in
      do throws(BusError) {
        self?.properties = ProxyProperties(try answer.get().read(0))
        then()
      } catch {
        self?.fail(error, "Properties.GetAll")
      }
    }
  }

  private func updatePresence() {
    switch properties.hasAccelerometer {
    case nil: reportLost(.invalidProxyAnswer("its HasAccelerometer is missing or not a boolean"))
    case false: reportLost(.noAccelerometerOfProxy)
    case true:
      if !needsConfirmation { reportFound() }
      if demand != .off { makeClaim() }
    }
  }

  private func fail(_ error: BusError, _ member: String) {
    switch error.name {
    case _ where error.isServiceMissing: break  // The bus reports the new owner, or that there is none.
    case BusError.disconnected: break
    case _ where error.isReplyTimeout: reportLost(.proxyIsSilent)
    case BusError.accessDenied: reportLost(.proxyRefuses(error.message.printable()))
    default: reportLost(.invalidProxyAnswer("\(member): \(error)"))
    }
  }

  private func reportFound() {
    guard presence != .found else { return }
    presence = .found
    retryTimer?.arm(at: nil)
    backoff.reset()
    report?(.sensorFound(name: Self.name), Self.now)
  }

  private func reportLost(_ failure: Message) {
    releaseClaim()
    if failure.needsProxyPolling, demand != .off, retryTimer?.isArmed == false {
      retryTimer?.arm(at: backoff.next(after: EventLoop.now))
    }
    needsConfirmation = needsConfirmation || failure.needsConfirmation
    guard presence != .lost(failure) else { return }
    presence = .lost(failure)
    report?(.sensorLost(failure), Self.now)
  }

  // MARK: The claim

  private func makeClaim() {
    guard claim != .pending, owner != nil else { return }
    claim = .pending
    claimNumber += 1
    let number = claimNumber
    let isSent: Void? = try? call(Self.target, "ClaimAccelerometer", Self.claimTimeout) { [weak self] in
      self?.receiveReply($0, claim: number)
    }
    if isSent == nil { claim = .none }
  }

  private func receiveReply(_ answer: Result<[Value], BusError>, claim number: Int) {
    guard number == claimNumber else {
      // We cannot know whether the proxy handled the release before this claim.
      if demand == .off { release() }
      return
    }
    claim = .held
    // A proxy that waits for a sensor's first sample has registered the claim, even if it does not reply.
    if case .failure(let error) = answer, !error.isReplyTimeout { return fail(error, "ClaimAccelerometer") }
    if properties.isFreshAfterClaim { return readOrientation() }
    if readTimer?.isArmed == false { readTimer?.arm(at: EventLoop.now + Self.staleTime) }
  }

  private func release() { try? call(Self.target, "ReleaseAccelerometer", Self.timeout) { _ in } }

  private func releaseClaim() {
    if claim != .none { release() }
    claim = .none
    claimNumber += 1
    debouncer = OrientationDebouncer()
    readTimer?.arm(at: nil)
  }

  // MARK: The orientation

  private func readOrientation() {
    read { [weak self] in
      guard let self, demand != .off else { return }
      guard properties.hasAccelerometer == true else { return updatePresence() }
      guard properties.isComplete else {
        return reportLost(.invalidProxyAnswer("its AccelerometerOrientation is missing or not a text"))
      }
      needsConfirmation = false
      reportFound()
      processOrientation()
    }
  }

  private func processOrientation() {
    guard demand != .off, let orientation = properties.orientation else { return }
    let now = Self.now
    if let accepted = debouncer.receive(orientation, at: now) { report?(.deviceRotated(accepted), now) }
  }
}
