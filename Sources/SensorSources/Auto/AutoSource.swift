// SPDX-License-Identifier: MIT

package import Autorotation
package import System

/// The accelerometer itself where it can be read (our judge decides better than the proxy), else iio-sensor-proxy;
/// never both at once, since some drivers refuse to be read (EBUSY) while the proxy's buffer runs. Switches between
/// them by itself, and reports that once.
package final class AutoSource: SensorSource {
  /// A busy accelerometer is tried again after this time, and then less and less often: where a desktop holds the
  /// proxy all day, trying is in vain, and interrupts the proxy for a second.
  private static let shortestPatience = Duration.seconds(60)
  private static let longestPatience = Duration.seconds(3600)
  /// An accelerometer that can be read reports that in a fraction of this.
  private static let trialTime = Duration.seconds(3)

  private let loop: EventLoop
  private let accelerometer: any FallibleSource
  private let proxy: any FallibleSource
  private let notice: (Message) -> Void

  private var demand = SensorDemand.off
  private var hinge = HingeWatch.off
  private var reportHinge: ((HingeWord) -> Void)?
  private var report: ((Event, Instant) -> Void)?
  private var chooser = SensorChooser()
  private var told = SensorChooser.Outcome.undecided
  private var runsAccelerometer = false
  private var proxyRole = SensorChooser.ProxyRole.stopped
  private var timer: EventTimer?
  private var monitor: UdevMonitor?
  private var trialEnds: Instant?
  private var nextTrial: Instant?
  private var patience = AutoSource.shortestPatience

  /// - Parameters: those of `IIOAccelerometer`.
  package convenience init(
    loop: EventLoop, mountMatrix: MountMatrix? = nil, rate: Double? = nil, usesGyroscope: Bool = true,
    notice: @escaping (Message) -> Void
  ) {
    self.init(
      loop: loop,
      accelerometer: IIOAccelerometer(
        loop: loop, mountMatrix: mountMatrix, rate: rate, usesGyroscope: usesGyroscope, notice: notice),
      proxy: SensorProxySource(loop: loop), notice: notice)
  }

  init(
    loop: EventLoop, accelerometer: any FallibleSource,
    proxy: any FallibleSource, notice: @escaping (Message) -> Void
  ) {
    self.loop = loop
    self.accelerometer = accelerometer
    self.proxy = proxy
    self.notice = notice
  }

  /// - Throws: `SystemError` if the system has no descriptor, thread or timer left.
  package func start(_ report: @escaping (Event, Instant) -> Void) throws {
    stop()
    self.report = report
    timer = try loop.timer { [weak self] in self?.act() }
    monitor = try? UdevMonitor(subsystem: "iio", loop: loop) { [weak self] in self?.handle(.askAgain) }
    try runAccelerometer()
  }

  package func demand(_ demand: SensorDemand) {
    self.demand = demand
    if runsAccelerometer { accelerometer.demand(demand) }
    if proxyRole == .claimed { proxy.demand(demand) }
    arm()
  }

  package func lookAgain() {
    if runsAccelerometer { accelerometer.lookAgain() }
    if proxyRole != .stopped { proxy.lookAgain() }
  }

  package func watchHinge(_ watch: HingeWatch, _ report: @escaping (HingeWord) -> Void) {
    hinge = watch
    reportHinge = report
    if runsAccelerometer { watchHinge() }
  }

  private func watchHinge() {
    accelerometer.watchHinge(hinge) { [weak self] in
      if self?.told.isAccelerometer == true { self?.reportHinge?($0) }
    }
  }

  package func stop() {
    stopAccelerometer()
    play(.stopped)
    timer?.cancel()
    timer = nil
    monitor = nil
    report = nil
    chooser = SensorChooser()
    told = .undecided
    trialEnds = nil
    nextTrial = nil
  }

  // MARK: What the two tell

  private func hearAccelerometer(_ event: Event, _ moment: Instant) {
    switch event {
    case .sensorFound(let name): handle(.found(name: name))
    case .sensorLost: handle(.lost(accelerometer.failure ?? .noAccelerometer))
    default: if told.isAccelerometer { report?(event, moment) }
    }
  }

  private func hearProxy(_ event: Event, _ moment: Instant) {
    switch event {
    case .sensorFound: handle(.proxyFound)
    case .sensorLost: handle(.proxyLost(proxy.failure ?? .noProxy))
    default: if chooser.outcome.isProxy { report?(event, moment) }
    }
  }

  private func handle(_ event: SensorChooser.Event) {
    let wasTrying = chooser.isTrying
    chooser.handle(event)
    settle()
    announce()
    if chooser.isTrying != wasTrying { planTrials() }
    arm()
  }

  // MARK: Who runs

  /// What ends comes before what begins.
  private func settle() {
    if !chooser.runsAccelerometer, runsAccelerometer {
      stopAccelerometer()
      // The hinge is no longer measured.
      if hinge != .off { reportHinge?(HingeWord()) }
    }
    play(chooser.proxyRole)
    guard chooser.runsAccelerometer, !runsAccelerometer else { return }
    do {
      try runAccelerometer()
    } catch {
      notice(Message(.sensorNotReadable, "The accelerometer cannot be read: \(error)"))
    }
  }

  private func runAccelerometer() throws {
    try accelerometer.start { [weak self] in self?.hearAccelerometer($0, $1) }
    runsAccelerometer = true
    accelerometer.demand(demand)
    watchHinge()
  }

  private func stopAccelerometer() {
    if runsAccelerometer { accelerometer.stop() }
    runsAccelerometer = false
  }

  private func play(_ role: SensorChooser.ProxyRole) {
    let was = proxyRole
    proxyRole = role
    guard role != was else { return }
    guard role != .stopped else { return proxy.stop() }
    proxy.demand(role == .claimed ? demand : .off)
    guard was == .stopped else { return }
    do {
      try proxy.start { [weak self] in self?.hearProxy($0, $1) }
    } catch {
      proxyRole = .stopped
      handle(.proxyLost(.noSystemBus("\(error)")))
    }
  }

  // MARK: What is told

  private func announce() {
    let outcome = chooser.outcome
    guard outcome != .undecided, outcome.isNews(after: told) else { return }
    let before = told
    told = outcome
    switch outcome {
    case .undecided: break
    case .accelerometer(let name):
      patience = Self.shortestPatience
      if before.isProxy {
        notice(
          Message(.sensorChanged, "The accelerometer \(name) can be read again, and is used from now on."))
      }
      tell(.sensorFound(name: name))
    case .proxy(let failure):
      notice(
        Message(
          .sensorChanged,
          "From now on iio-sensor-proxy tells how the device is held, because of this: \(failure)."))
      tell(.sensorFound(name: SensorProxySource.name))
    case .nothing(let message): tell(.sensorLost(message))
    }
  }

  private func tell(_ event: Event) {
    report?(event, Self.now)
  }

  // MARK: When the accelerometer is asked again

  private static var now: Instant { Instant(nanoseconds: EventLoop.now) }

  private func planTrials() {
    trialEnds = chooser.isTrying ? Self.now + Self.trialTime : nil
  }

  private func arm() {
    if case .proxy(let failure) = chooser.outcome, failure.passesUnnoticed {
      nextTrial = nextTrial ?? Self.now + patience
    } else {
      nextTrial = nil
    }
    let trial = demand == .off ? nil : nextTrial
    timer?.arm(at: [trialEnds, trial].compactMap { $0 }.min()?.nanoseconds)
  }

  private func act() {
    let now = Self.now
    if let ends = trialEnds, ends <= now { return handle(.keptWaiting) }
    guard let due = nextTrial, due <= now else { return arm() }
    nextTrial = nil
    patience = min(patience * 2, Self.longestPatience)
    handle(.askAgain)
  }
}

nonisolated extension SensorChooser.Outcome {
  fileprivate var isAccelerometer: Bool { if case .accelerometer = self { true } else { false } }

  /// That the accelerometer fails for another reason than before is none while the proxy works.
  fileprivate func isNews(after told: Self) -> Bool {
    self != told && !(isProxy && told.isProxy)
  }
}
