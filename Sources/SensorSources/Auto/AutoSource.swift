// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// Reads the accelerometer where possible (our classifier decides better than the proxy), else uses iio-sensor-proxy;
/// never both at once, since some drivers refuse reads (EBUSY) while the proxy's buffer runs. Switches between them
/// automatically, and reports each switch once.
package final class AutoSource: SensorSource {
  /// A busy accelerometer is retried after this time, and then less and less often: where a desktop claims the proxy
  /// all day, each retry fails and interrupts the proxy for a second.
  private static let minimumRetryInterval = Duration.seconds(60)
  private static let maximumRetryInterval = Duration.seconds(3600)
  /// A readable accelerometer reports in a fraction of this.
  private static let trialTime = Duration.seconds(3)

  private let loop: EventLoop
  private let accelerometer: any SensorSource
  private let proxy: any SensorSource
  private let notice: (Message) -> Void

  private var demand = SensorDemand.off
  private var hinge = HingeWatch.off
  private var report: ((Event, Instant) -> Void)?
  private var chooser = SensorChooser()
  private var lastReported = SensorChooser.Outcome.undecided
  private var runsAccelerometer = false
  private var timer: EventTimer?
  private var monitor: UdevMonitor?
  private var trialEnds: Instant?
  private var nextTrial: Instant?
  /// Doubles with each retry.
  var retryInterval = AutoSource.minimumRetryInterval

  /// - Parameter notice: called for each switch from one to the other, and for problems that are not fatal.
  package init(
    loop: EventLoop, accelerometer: any SensorSource, proxy: any SensorSource,
    notice: @escaping (Message) -> Void
  ) {
    self.loop = loop
    self.accelerometer = accelerometer
    self.proxy = proxy
    self.notice = notice
  }

  /// - Throws: `SystemError` if the system has no descriptor, thread or timer left.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    self.report = report
    timer = try loop.timer { [weak self] in self?.handleTimer() }
    monitor = try? UdevMonitor(subsystem: "iio", loop: loop) { [weak self] in self?.handle(.retry) }
    try runAccelerometer()
  }

  package func demand(_ demand: SensorDemand) {
    self.demand = demand
    if runsAccelerometer { accelerometer.demand(demand) }
    if chooser.proxyRole == .claimed { proxy.demand(demand) }
    armTimer()
  }

  package func recheck() {
    if runsAccelerometer { accelerometer.recheck() }
    if chooser.proxyRole != .stopped { proxy.recheck() }
  }

  package func watchHinge(_ watch: HingeWatch) {
    hinge = watch
    if runsAccelerometer { accelerometer.watchHinge(watch) }
  }

  package func stop() {
    stopAccelerometer()
    proxy.stop()
    timer = nil
    monitor = nil
    chooser = SensorChooser()
    lastReported = .undecided
    trialEnds = nil
  }

  // MARK: Events of the two

  private func handleAccelerometer(_ event: Event, _ moment: Instant) {
    switch event {
    case .sensorFound(let name): handle(.accelerometerFound(name: name))
    case .sensorLost(let failure): handle(.accelerometerLost(failure))
    default: if case .accelerometer = lastReported { report?(event, moment) }
    }
  }

  private func handleProxy(_ event: Event, _ moment: Instant) {
    switch event {
    case .sensorFound: handle(.proxyFound)
    case .sensorLost(let failure): handle(.proxyLost(failure))
    default: if chooser.outcome.isProxy { report?(event, moment) }
    }
  }

  private func handle(_ event: SensorChooser.Event) {
    let before = chooser
    chooser.handle(event)
    applyChoice(after: before.proxyRole)
    reportOutcome()
    if chooser.isRetrying != before.isRetrying {
      trialEnds = chooser.isRetrying ? Self.now + Self.trialTime : nil
    }
    armTimer()
  }

  // MARK: Starting and stopping them

  /// Stops one source before it starts the other.
  private func applyChoice(after formerRole: SensorChooser.ProxyRole) {
    if !chooser.runsAccelerometer, runsAccelerometer {
      stopAccelerometer()
      // The hinge is no longer measured.
      if hinge != .off { send(.hingeChanged(HingeReading())) }
    }
    useProxy(after: formerRole)
    guard chooser.runsAccelerometer, !runsAccelerometer else { return }
    do {
      try runAccelerometer()
    } catch {
      notice(Message(.sensorNotReadable, "The accelerometer cannot be read: \(error)"))
    }
  }

  private func runAccelerometer() throws {
    try accelerometer.start { [weak self] in self?.handleAccelerometer($0, $1) }
    runsAccelerometer = true
    accelerometer.demand(demand)
    accelerometer.watchHinge(hinge)
  }

  private func stopAccelerometer() {
    if runsAccelerometer { accelerometer.stop() }
    runsAccelerometer = false
  }

  private func useProxy(after formerRole: SensorChooser.ProxyRole) {
    let role = chooser.proxyRole
    guard role != .stopped else { return proxy.stop() }
    proxy.demand(role == .claimed ? demand : .off)
    guard formerRole == .stopped else { return }
    do {
      try proxy.start { [weak self] in self?.handleProxy($0, $1) }
    } catch {
      handle(.proxyLost(.noSystemBus("\(error)")))
    }
  }

  // MARK: Reports

  private func reportOutcome() {
    let outcome = chooser.outcome
    // Another reason why the accelerometer fails is not reported while the proxy works.
    guard outcome != .undecided, outcome != lastReported, !(outcome.isProxy && lastReported.isProxy)
    else { return }
    let before = lastReported
    lastReported = outcome
    switch outcome {
    case .undecided: break
    case .accelerometer(let name):
      retryInterval = Self.minimumRetryInterval
      if before.isProxy {
        notice(
          Message(.sensorChanged, "The accelerometer \(name) can be read again and is now used directly."))
      }
      send(.sensorFound(name: name))
    case .proxy(let failure):
      notice(
        Message(.sensorChanged, "Now using iio-sensor-proxy for the device orientation: \(failure.what)."))
      send(.sensorFound(name: SensorProxySource.name))
    case .noSensor(let message): send(.sensorLost(message))
    }
  }

  private func send(_ event: Event) { report?(event, Self.now) }

  // MARK: Retries of the accelerometer

  private static var now: Instant { Instant(nanoseconds: EventLoop.now) }

  private func armTimer() {
    if case .proxy(let failure) = chooser.outcome, failure.needsPolling {
      nextTrial = nextTrial ?? Self.now + retryInterval
    } else {
      nextTrial = nil
    }
    let trial = demand == .off ? nil : nextTrial
    timer?.arm(at: (trialEnds ?? trial)?.nanoseconds)
  }

  private func handleTimer() {
    if trialEnds != nil { return handle(.timedOut) }
    retryInterval = min(retryInterval * 2, Self.maximumRetryInterval)
    handle(.retry)
  }
}
